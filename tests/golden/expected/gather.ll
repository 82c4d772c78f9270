define void @frit_kernel(ptr %p0, i64 %p1, i64 %p2) nounwind {
  %a1 = alloca [1 x i64], align 64
  %a2 = alloca i64
  %c1 = shufflevector <1 x i64> <i64 0>, <1 x i64> undef, <4 x i32> zeroinitializer
  %a3 = alloca [4 x i64], align 64
  %a4 = alloca [4 x i64], align 64
  %c2 = shufflevector <1 x i32> <i32 1>, <1 x i32> undef, <4 x i32> zeroinitializer
  %a5 = alloca [4 x i64], align 64
  %a6 = alloca [4 x i64], align 64
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
  %v61 = add <4 x i64> %v58, %v10
  %v62 = icmp slt <4 x i64> %v58, %c1
  %v63 = select <4 x i1> %v62, <4 x i64> %v61, <4 x i64> %v58
  %v64 = icmp uge <4 x i64> %v63, %v10
  %v65 = bitcast <4 x i1> %v64 to i4
  %v66 = icmp eq i4 %v65, 0
  br i1 %v66, label %b17, label %b16
b16:
  store <4 x i64> %v58, ptr %a3, align 8
  store <4 x i64> %v10, ptr %a4, align 8
  call void @frit_checked(ptr %a3, ptr %a4, i64 4, ptr %v60, i64 4)
  %v67 = load <4 x i64>, ptr %a3, align 8
  br label %b17
b17:
  %v68 = phi <4 x i64> [ %v63, %b14 ], [ %v67, %b16 ]
  %v69 = getelementptr i64, ptr %p0, i64 4
  %v70 = load ptr, ptr %v69
  %v71 = extractelement <4 x i64> %v68, i32 0
  %v72 = getelementptr float, ptr %v70, i64 %v71
  %v73 = load float, ptr %v72, align 4
  %v74 = insertelement <4 x float> undef, float %v73, i32 0
  %v75 = extractelement <4 x i64> %v68, i32 1
  %v76 = getelementptr float, ptr %v70, i64 %v75
  %v77 = load float, ptr %v76, align 4
  %v78 = insertelement <4 x float> %v74, float %v77, i32 1
  %v79 = extractelement <4 x i64> %v68, i32 2
  %v80 = getelementptr float, ptr %v70, i64 %v79
  %v81 = load float, ptr %v80, align 4
  %v82 = insertelement <4 x float> %v78, float %v81, i32 2
  %v83 = extractelement <4 x i64> %v68, i32 3
  %v84 = getelementptr float, ptr %v70, i64 %v83
  %v85 = load float, ptr %v84, align 4
  %v86 = insertelement <4 x float> %v82, float %v85, i32 3
  %v87 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v86, <4 x float> %v14, <4 x float> %v18)
  %v88 = getelementptr float, ptr %v49, i64 %v54
  br i1 %v53, label %b18, label %b19
b18:
  store <4 x float> %v87, ptr %v88, align 16, !nontemporal !0
  br label %b20
b19:
  store <4 x float> %v87, ptr %v88, align 4
  br label %b20
b20:
  %v89 = add i64 %v54, 4
  store i64 %v89, ptr %a2
  br label %b13
b15:
  br label %b12
b11:
  %v90 = trunc i64 %v45 to i32
  %v91 = insertelement <4 x i32> undef, i32 %v90, i32 0
  %v92 = shufflevector <4 x i32> %v91, <4 x i32> undef, <4 x i32> zeroinitializer
  %v93 = icmp slt <4 x i32> <i32 0, i32 1, i32 2, i32 3>, %v92
  %v94 = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %v47, i32 4, <4 x i1> %v93, <4 x i32> %c2)
  %v95 = sext <4 x i32> %v94 to <4 x i64>
  %v96 = getelementptr i64, ptr %p0, i64 0
  %v97 = load ptr, ptr %v96
  %v98 = add <4 x i64> %v95, %v10
  %v99 = icmp slt <4 x i64> %v95, %c1
  %v100 = select <4 x i1> %v99, <4 x i64> %v98, <4 x i64> %v95
  %v101 = icmp uge <4 x i64> %v100, %v10
  %v102 = bitcast <4 x i1> %v101 to i4
  %v103 = icmp eq i4 %v102, 0
  br i1 %v103, label %b22, label %b21
b21:
  store <4 x i64> %v95, ptr %a5, align 8
  store <4 x i64> %v10, ptr %a6, align 8
  call void @frit_checked(ptr %a5, ptr %a6, i64 4, ptr %v97, i64 %v45)
  %v104 = load <4 x i64>, ptr %a5, align 8
  br label %b22
b22:
  %v105 = phi <4 x i64> [ %v100, %b11 ], [ %v104, %b21 ]
  %v106 = getelementptr i64, ptr %p0, i64 4
  %v107 = load ptr, ptr %v106
  %v108 = extractelement <4 x i64> %v105, i32 0
  %v109 = icmp slt i64 0, %v45
  %v110 = select i1 %v109, i64 %v108, i64 0
  %v111 = getelementptr float, ptr %v107, i64 %v110
  %v112 = load float, ptr %v111, align 4
  %v113 = insertelement <4 x float> undef, float %v112, i32 0
  %v114 = extractelement <4 x i64> %v105, i32 1
  %v115 = icmp slt i64 1, %v45
  %v116 = select i1 %v115, i64 %v114, i64 0
  %v117 = getelementptr float, ptr %v107, i64 %v116
  %v118 = load float, ptr %v117, align 4
  %v119 = insertelement <4 x float> %v113, float %v118, i32 1
  %v120 = extractelement <4 x i64> %v105, i32 2
  %v121 = icmp slt i64 2, %v45
  %v122 = select i1 %v121, i64 %v120, i64 0
  %v123 = getelementptr float, ptr %v107, i64 %v122
  %v124 = load float, ptr %v123, align 4
  %v125 = insertelement <4 x float> %v119, float %v124, i32 2
  %v126 = extractelement <4 x i64> %v105, i32 3
  %v127 = icmp slt i64 3, %v45
  %v128 = select i1 %v127, i64 %v126, i64 0
  %v129 = getelementptr float, ptr %v107, i64 %v128
  %v130 = load float, ptr %v129, align 4
  %v131 = insertelement <4 x float> %v125, float %v130, i32 3
  %v132 = call <4 x float> @llvm.fma.v4f32(<4 x float> %v131, <4 x float> %v14, <4 x float> %v18)
  %v133 = icmp sge i64 %v45, 4
  br i1 %v133, label %b23, label %b24
b23:
  store <4 x float> %v132, ptr %v49, align 4
  br label %b25
b24:
  %v134 = trunc i64 %v45 to i32
  %v135 = insertelement <4 x i32> undef, i32 %v134, i32 0
  %v136 = shufflevector <4 x i32> %v135, <4 x i32> undef, <4 x i32> zeroinitializer
  %v137 = icmp slt <4 x i32> <i32 0, i32 1, i32 2, i32 3>, %v136
  call void @llvm.masked.store.v4f32.p0(<4 x float> %v132, ptr %v49, i32 4, <4 x i1> %v137)
  br label %b25
b25:
  br label %b12
b12:
  %v138 = load i64, ptr %a1
  %v139 = add i64 %v138, %v45
  store i64 %v139, ptr %a1
  br label %b4
b6:
  br label %b3
b3:
  br i1 %v29, label %b26, label %b27
b26:
  call void @llvm.x86.sse.sfence()
  br label %b27
b27:
  ret void
}
declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare void @frit_checked(ptr, ptr, i64, ptr, i64)
declare void @llvm.masked.store.v4f32.p0(<4 x float>, ptr, i32, <4 x i1>)
declare void @llvm.x86.sse.sfence()
!0 = !{i32 1}
