declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare void @frit_checked(ptr, ptr, i64, ptr, i64)
declare void @llvm.masked.store.v4f32.p0(<4 x float>, ptr, i32, <4 x i1>)
declare void @llvm.x86.sse.sfence()
define void @frit_kernel(ptr %p0, i64 %p1, i64 %p2) nounwind {
  %a1 = alloca [1 x i64], align 64
  %a2 = alloca i64
  %a3 = alloca [4 x i64], align 64
  %a4 = alloca [4 x i64], align 64
  %a5 = alloca [4 x float], align 64
  %a6 = alloca [4 x i64], align 64
  %c1 = shufflevector <1 x i32> <i32 1>, <1 x i32> undef, <4 x i32> zeroinitializer
  %a7 = alloca [4 x i64], align 64
  %a8 = alloca [4 x i64], align 64
  %a9 = alloca [4 x float], align 64
  %a10 = alloca [4 x i64], align 64
  br label %start
start:
  %v1 = getelementptr i64, ptr %p0, i64 2
  %v2 = load i64, ptr %v1
  %v3 = getelementptr i64, ptr %p0, i64 3
  %v4 = load ptr, ptr %v3
  %v5 = getelementptr i64, ptr %p0, i64 5
  %v6 = load ptr, ptr %v5
  %v7 = getelementptr i64, ptr %p0, i64 6
  %v8 = load i64, ptr %v7
  %v9 = insertelement <4 x i64> undef, i64 %v8, i32 0
  %v10 = shufflevector <4 x i64> %v9, <4 x i64> undef, <4 x i32> zeroinitializer
  %v11 = getelementptr i64, ptr %p0, i64 7
  %v12 = load float, ptr %v11
  %v13 = insertelement <4 x float> undef, float %v12, i32 0
  %v14 = shufflevector <4 x float> %v13, <4 x float> undef, <4 x i32> zeroinitializer
  %v15 = getelementptr i64, ptr %p0, i64 8
  %v16 = load float, ptr %v15
  %v17 = insertelement <4 x float> undef, float %v16, i32 0
  %v18 = shufflevector <4 x float> %v17, <4 x float> undef, <4 x i32> zeroinitializer
  %v19 = mul i64 %v2, 4
  %v20 = icmp sle i64 16777216, %v19
  %v21 = mul i64 %v2, 4
  %v22 = icmp sle i64 1024, %v21
  %v23 = and i1 %v20, %v22
  %v24 = getelementptr i64, ptr %p0, i64 5
  %v25 = load i64, ptr %v24
  %v26 = getelementptr i64, ptr %p0, i64 3
  %v27 = load i64, ptr %v26
  %v28 = icmp ne i64 %v25, %v27
  %v29 = and i1 %v23, %v28
  store i64 %p1, ptr %a1
  %v30 = load i64, ptr %a1
  %v31 = icmp slt i64 %v30, %p2
  br i1 %v31, label %b1, label %b3
b1:
  br label %b4
b4:
  %v32 = load i64, ptr %a1
  %v33 = icmp slt i64 %v32, %p2
  br i1 %v33, label %b5, label %b6
b5:
  %v34 = load i64, ptr %a1
  %v35 = add i64 %v34, 4
  %v36 = icmp sle i64 %v35, %p2
  br i1 %v36, label %b7, label %b8
b7:
  %v37 = load i64, ptr %a1
  %v38 = sub i64 %p2, %v37
  %v39 = sdiv i64 %v38, 4
  %v40 = mul i64 %v39, 4
  br label %b9
b8:
  %v41 = load i64, ptr %a1
  %v42 = sub i64 %p2, %v41
  %v43 = icmp slt i64 4, %v42
  %v44 = select i1 %v43, i64 4, i64 %v42
  br label %b9
b9:
  %v45 = phi i64 [ %v40, %b7 ], [ %v44, %b8 ]
  %v46 = load i64, ptr %a1
  %v47 = getelementptr i32, ptr %v4, i64 %v46
  %v48 = load i64, ptr %a1
  %v49 = getelementptr float, ptr %v6, i64 %v48
  %v50 = ptrtoint ptr %v49 to i64
  %v51 = srem i64 %v50, 16
  %v52 = icmp eq i64 %v51, 0
  %v53 = and i1 %v29, %v52
  br i1 %v36, label %b10, label %b11
b10:
  store i64 0, ptr %a2
  br label %b13
b13:
  %v54 = load i64, ptr %a2
  %v55 = icmp slt i64 %v54, %v45
  br i1 %v55, label %b14, label %b15
b14:
  %v56 = getelementptr i32, ptr %v47, i64 %v54
  %v57 = load <4 x i32>, ptr %v56, align 4
  %v58 = sext <4 x i32> %v57 to <4 x i64>
  %v59 = getelementptr i64, ptr %p0, i64 0
  %v60 = load ptr, ptr %v59
  store <4 x i64> %v58, ptr %a3, align 8
  store <4 x i64> %v10, ptr %a4, align 8
  call void @frit_checked(ptr %a3, ptr %a4, i64 4, ptr %v60, i64 4)
  %v61 = load <4 x i64>, ptr %a3, align 8
  %v62 = getelementptr i64, ptr %p0, i64 4
  %v63 = load ptr, ptr %v62
  store <4 x i64> %v61, ptr %a6, align 8
  %v64 = getelementptr i64, ptr %a6, i64 0
  %v65 = load i64, ptr %v64, align 8
  %v66 = getelementptr float, ptr %v63, i64 %v65
  %v67 = load float, ptr %v66, align 4
  %v68 = getelementptr float, ptr %a5, i64 0
  store float %v67, ptr %v68, align 4
  %v69 = getelementptr i64, ptr %a6, i64 1
  %v70 = load i64, ptr %v69, align 8
  %v71 = getelementptr float, ptr %v63, i64 %v70
  %v72 = load float, ptr %v71, align 4
  %v73 = getelementptr float, ptr %a5, i64 1
  store float %v72, ptr %v73, align 4
  %v74 = getelementptr i64, ptr %a6, i64 2
  %v75 = load i64, ptr %v74, align 8
  %v76 = getelementptr float, ptr %v63, i64 %v75
  %v77 = load float, ptr %v76, align 4
  %v78 = getelementptr float, ptr %a5, i64 2
  store float %v77, ptr %v78, align 4
  %v79 = getelementptr i64, ptr %a6, i64 3
  %v80 = load i64, ptr %v79, align 8
  %v81 = getelementptr float, ptr %v63, i64 %v80
  %v82 = load float, ptr %v81, align 4
  %v83 = getelementptr float, ptr %a5, i64 3
  store float %v82, ptr %v83, align 4
  %v84 = load <4 x float>, ptr %a5, align 4
  %v85 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v84, <4 x float> %v14, <4 x float> %v18)
  %v86 = getelementptr float, ptr %v49, i64 %v54
  br i1 %v53, label %b16, label %b17
b16:
  store <4 x float> %v85, ptr %v86, align 16, !nontemporal !0
  br label %b18
b17:
  store <4 x float> %v85, ptr %v86, align 4
  br label %b18
b18:
  %v87 = add i64 %v54, 4
  store i64 %v87, ptr %a2
  br label %b13
b15:
  br label %b12
b11:
  %v88 = trunc i64 %v45 to i32
  %v89 = insertelement <4 x i32> undef, i32 %v88, i32 0
  %v90 = shufflevector <4 x i32> %v89, <4 x i32> undef, <4 x i32> zeroinitializer
  %v91 = icmp slt <4 x i32> <i32 0, i32 1, i32 2, i32 3>, %v90
  %v92 = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %v47, i32 4, <4 x i1> %v91, <4 x i32> %c1)
  %v93 = sext <4 x i32> %v92 to <4 x i64>
  %v94 = getelementptr i64, ptr %p0, i64 0
  %v95 = load ptr, ptr %v94
  store <4 x i64> %v93, ptr %a7, align 8
  store <4 x i64> %v10, ptr %a8, align 8
  call void @frit_checked(ptr %a7, ptr %a8, i64 4, ptr %v95, i64 %v45)
  %v96 = load <4 x i64>, ptr %a7, align 8
  %v97 = getelementptr i64, ptr %p0, i64 4
  %v98 = load ptr, ptr %v97
  store <4 x i64> %v96, ptr %a10, align 8
  %v99 = getelementptr i64, ptr %a10, i64 0
  %v100 = load i64, ptr %v99, align 8
  %v101 = icmp slt i64 0, %v45
  %v102 = select i1 %v101, i64 %v100, i64 0
  %v103 = getelementptr float, ptr %v98, i64 %v102
  %v104 = load float, ptr %v103, align 4
  %v105 = getelementptr float, ptr %a9, i64 0
  store float %v104, ptr %v105, align 4
  %v106 = getelementptr i64, ptr %a10, i64 1
  %v107 = load i64, ptr %v106, align 8
  %v108 = icmp slt i64 1, %v45
  %v109 = select i1 %v108, i64 %v107, i64 0
  %v110 = getelementptr float, ptr %v98, i64 %v109
  %v111 = load float, ptr %v110, align 4
  %v112 = getelementptr float, ptr %a9, i64 1
  store float %v111, ptr %v112, align 4
  %v113 = getelementptr i64, ptr %a10, i64 2
  %v114 = load i64, ptr %v113, align 8
  %v115 = icmp slt i64 2, %v45
  %v116 = select i1 %v115, i64 %v114, i64 0
  %v117 = getelementptr float, ptr %v98, i64 %v116
  %v118 = load float, ptr %v117, align 4
  %v119 = getelementptr float, ptr %a9, i64 2
  store float %v118, ptr %v119, align 4
  %v120 = getelementptr i64, ptr %a10, i64 3
  %v121 = load i64, ptr %v120, align 8
  %v122 = icmp slt i64 3, %v45
  %v123 = select i1 %v122, i64 %v121, i64 0
  %v124 = getelementptr float, ptr %v98, i64 %v123
  %v125 = load float, ptr %v124, align 4
  %v126 = getelementptr float, ptr %a9, i64 3
  store float %v125, ptr %v126, align 4
  %v127 = load <4 x float>, ptr %a9, align 4
  %v128 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v127, <4 x float> %v14, <4 x float> %v18)
  %v129 = icmp sge i64 %v45, 4
  br i1 %v129, label %b19, label %b20
b19:
  store <4 x float> %v128, ptr %v49, align 4
  br label %b21
b20:
  %v130 = trunc i64 %v45 to i32
  %v131 = insertelement <4 x i32> undef, i32 %v130, i32 0
  %v132 = shufflevector <4 x i32> %v131, <4 x i32> undef, <4 x i32> zeroinitializer
  %v133 = icmp slt <4 x i32> <i32 0, i32 1, i32 2, i32 3>, %v132
  call void @llvm.masked.store.v4f32.p0(<4 x float> %v128, ptr %v49, i32 4, <4 x i1> %v133)
  br label %b21
b21:
  br label %b12
b12:
  %v134 = load i64, ptr %a1
  %v135 = add i64 %v134, %v45
  store i64 %v135, ptr %a1
  br label %b4
b6:
  br label %b3
b3:
  br i1 %v29, label %b22, label %b23
b22:
  call void @llvm.x86.sse.sfence()
  br label %b23
b23:
  ret void
}
!0 = !{i32 1}
