define void @frit_kernel(ptr %p0, i64 %p1, i64 %p2) nounwind {
  %a1 = alloca [1 x i64], align 64
  %a2 = alloca i64
  %c1 = shufflevector <1 x float> <float 0x3FF0000000000000>, <1 x float> undef, <8 x i32> zeroinitializer
  br label %start
start:
  %v1 = getelementptr i64, ptr %p0, i64 2
  %v2 = load i64, ptr %v1
  %v3 = getelementptr i64, ptr %p0, i64 3
  %v4 = load ptr, ptr %v3
  %v5 = getelementptr i64, ptr %p0, i64 4
  %v6 = load ptr, ptr %v5
  %v7 = getelementptr i64, ptr %p0, i64 5
  %v8 = load float, ptr %v7
  %v9 = insertelement <8 x float> undef, float %v8, i32 0
  %v10 = shufflevector <8 x float> %v9, <8 x float> undef, <8 x i32> zeroinitializer
  %v11 = getelementptr i64, ptr %p0, i64 6
  %v12 = load float, ptr %v11
  %v13 = insertelement <8 x float> undef, float %v12, i32 0
  %v14 = shufflevector <8 x float> %v13, <8 x float> undef, <8 x i32> zeroinitializer
  %v15 = mul i64 %v2, 4
  %v16 = icmp sle i64 16777216, %v15
  %v17 = mul i64 %v2, 4
  %v18 = icmp sle i64 1024, %v17
  %v19 = and i1 %v16, %v18
  %v20 = getelementptr i64, ptr %p0, i64 4
  %v21 = load i64, ptr %v20
  %v22 = getelementptr i64, ptr %p0, i64 3
  %v23 = load i64, ptr %v22
  %v24 = icmp ne i64 %v21, %v23
  %v25 = and i1 %v19, %v24
  store i64 %p1, ptr %a1
  %v26 = load i64, ptr %a1
  %v27 = icmp slt i64 %v26, %p2
  br i1 %v27, label %b1, label %b3
b1:
  br label %b4
b4:
  %v28 = load i64, ptr %a1
  %v29 = icmp slt i64 %v28, %p2
  br i1 %v29, label %b5, label %b6
b5:
  %v30 = load i64, ptr %a1
  %v31 = add i64 %v30, 8
  %v32 = icmp sle i64 %v31, %p2
  br i1 %v32, label %b7, label %b8
b7:
  %v33 = load i64, ptr %a1
  %v34 = sub i64 %p2, %v33
  %v35 = sdiv i64 %v34, 8
  %v36 = mul i64 %v35, 8
  br label %b9
b8:
  %v37 = load i64, ptr %a1
  %v38 = sub i64 %p2, %v37
  %v39 = icmp slt i64 8, %v38
  %v40 = select i1 %v39, i64 8, i64 %v38
  br label %b9
b9:
  %v41 = phi i64 [ %v36, %b7 ], [ %v40, %b8 ]
  %v42 = load i64, ptr %a1
  %v43 = getelementptr float, ptr %v4, i64 %v42
  %v44 = load i64, ptr %a1
  %v45 = getelementptr float, ptr %v6, i64 %v44
  %v46 = ptrtoint ptr %v45 to i64
  %v47 = srem i64 %v46, 32
  %v48 = icmp eq i64 %v47, 0
  %v49 = and i1 %v25, %v48
  br i1 %v32, label %b10, label %b11
b10:
  store i64 0, ptr %a2
  br label %b13
b13:
  %v50 = load i64, ptr %a2
  %v51 = icmp slt i64 %v50, %v41
  br i1 %v51, label %b14, label %b15
b14:
  %v52 = getelementptr float, ptr %v43, i64 %v50
  %v53 = load <8 x float>, ptr %v52, align 4
  %v54 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v10, <8 x float> %v53, <8 x float> %v14)
  %v55 = getelementptr float, ptr %v45, i64 %v50
  br i1 %v49, label %b16, label %b17
b16:
  store <8 x float> %v54, ptr %v55, align 32, !nontemporal !0
  br label %b18
b17:
  store <8 x float> %v54, ptr %v55, align 4
  br label %b18
b18:
  %v56 = add i64 %v50, 8
  store i64 %v56, ptr %a2
  br label %b13
b15:
  br label %b12
b11:
  %v57 = trunc i64 %v41 to i32
  %v58 = insertelement <8 x i32> undef, i32 %v57, i32 0
  %v59 = shufflevector <8 x i32> %v58, <8 x i32> undef, <8 x i32> zeroinitializer
  %v60 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v59
  %v61 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v43, i32 4, <8 x i1> %v60, <8 x float> %c1)
  %v62 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v10, <8 x float> %v61, <8 x float> %v14)
  %v63 = icmp sge i64 %v41, 8
  br i1 %v63, label %b19, label %b20
b19:
  store <8 x float> %v62, ptr %v45, align 4
  br label %b21
b20:
  %v64 = trunc i64 %v41 to i32
  %v65 = insertelement <8 x i32> undef, i32 %v64, i32 0
  %v66 = shufflevector <8 x i32> %v65, <8 x i32> undef, <8 x i32> zeroinitializer
  %v67 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v66
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v62, ptr %v45, i32 4, <8 x i1> %v67)
  br label %b21
b21:
  br label %b12
b12:
  %v68 = load i64, ptr %a1
  %v69 = add i64 %v68, %v41
  store i64 %v69, ptr %a1
  br label %b4
b6:
  br label %b3
b3:
  br i1 %v25, label %b22, label %b23
b22:
  call void @llvm.x86.sse.sfence()
  br label %b23
b23:
  ret void
}
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
declare void @llvm.x86.sse.sfence()
!0 = !{i32 1}
