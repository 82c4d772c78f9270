define void @frit_kernel(ptr %p0, i64 %p1, i64 %p2, i64 %p3, i64 %p4, ptr %p5) nounwind {
  %a1 = alloca i64
  %a2 = alloca i64
  %a3 = alloca [1 x i64], align 64
  %a4 = alloca [8 x <8 x float>], align 64
  %c1 = shufflevector <1 x float> <float 0x0000000000000000>, <1 x float> undef, <8 x i32> zeroinitializer
  %c2 = shufflevector <1 x float> <float 0x3FF0000000000000>, <1 x float> undef, <8 x i32> zeroinitializer
  %a5 = alloca [1 x <8 x float>], align 64
  br label %start
start:
  %v1 = getelementptr i64, ptr %p0, i64 2
  %v2 = load i64, ptr %v1
  %v3 = getelementptr i64, ptr %p0, i64 3
  %v4 = load ptr, ptr %v3
  %v5 = getelementptr i64, ptr %p0, i64 4
  %v6 = load ptr, ptr %v5
  %v7 = add i64 %v2, 4095
  %v8 = sdiv i64 %v7, 4096
  store i64 %p1, ptr %a1
  br label %b1
b1:
  %v9 = load i64, ptr %a1
  %v10 = icmp slt i64 %v9, %p2
  br i1 %v10, label %b2, label %b3
b2:
  store i64 %p3, ptr %a2
  br label %b4
b4:
  %v11 = load i64, ptr %a2
  %v12 = icmp slt i64 %v8, %p4
  %v13 = select i1 %v12, i64 %v8, i64 %p4
  %v14 = icmp slt i64 %v11, %v13
  br i1 %v14, label %b5, label %b6
b5:
  %v15 = mul i64 %v11, 4096
  store i64 %v15, ptr %a3
  %v16 = load i64, ptr %a3
  %v17 = add i64 %v16, 4096
  %v18 = icmp slt i64 %v2, %v17
  %v19 = select i1 %v18, i64 %v2, i64 %v17
  %v20 = load i64, ptr %a3
  %v21 = sub i64 %v19, %v20
  %v22 = getelementptr <8 x float>, ptr %a4, i64 0
  store <8 x float> %c1, ptr %v22, align 4
  %v23 = getelementptr <8 x float>, ptr %a4, i64 1
  store <8 x float> %c1, ptr %v23, align 4
  %v24 = getelementptr <8 x float>, ptr %a4, i64 2
  store <8 x float> %c1, ptr %v24, align 4
  %v25 = getelementptr <8 x float>, ptr %a4, i64 3
  store <8 x float> %c1, ptr %v25, align 4
  %v26 = getelementptr <8 x float>, ptr %a4, i64 4
  store <8 x float> %c1, ptr %v26, align 4
  %v27 = getelementptr <8 x float>, ptr %a4, i64 5
  store <8 x float> %c1, ptr %v27, align 4
  %v28 = getelementptr <8 x float>, ptr %a4, i64 6
  store <8 x float> %c1, ptr %v28, align 4
  %v29 = getelementptr <8 x float>, ptr %a4, i64 7
  store <8 x float> %c1, ptr %v29, align 4
  br label %b7
b7:
  %v30 = load i64, ptr %a3
  %v31 = add i64 %v30, 64
  %v32 = icmp sle i64 %v31, %v19
  br i1 %v32, label %b8, label %b9
b8:
  %v33 = load i64, ptr %a3
  %v34 = add i64 %v33, 512
  %v35 = getelementptr float, ptr %v4, i64 %v34
  %v36 = getelementptr i8, ptr %v35, i64 0
  call void @llvm.prefetch.p0(ptr %v36, i32 0, i32 3, i32 1)
  %v37 = getelementptr i8, ptr %v35, i64 64
  call void @llvm.prefetch.p0(ptr %v37, i32 0, i32 3, i32 1)
  %v38 = getelementptr i8, ptr %v35, i64 128
  call void @llvm.prefetch.p0(ptr %v38, i32 0, i32 3, i32 1)
  %v39 = getelementptr i8, ptr %v35, i64 192
  call void @llvm.prefetch.p0(ptr %v39, i32 0, i32 3, i32 1)
  %v40 = load i64, ptr %a3
  %v41 = add i64 %v40, 512
  %v42 = getelementptr float, ptr %v6, i64 %v41
  %v43 = getelementptr i8, ptr %v42, i64 0
  call void @llvm.prefetch.p0(ptr %v43, i32 0, i32 3, i32 1)
  %v44 = getelementptr i8, ptr %v42, i64 64
  call void @llvm.prefetch.p0(ptr %v44, i32 0, i32 3, i32 1)
  %v45 = getelementptr i8, ptr %v42, i64 128
  call void @llvm.prefetch.p0(ptr %v45, i32 0, i32 3, i32 1)
  %v46 = getelementptr i8, ptr %v42, i64 192
  call void @llvm.prefetch.p0(ptr %v46, i32 0, i32 3, i32 1)
  %v47 = load i64, ptr %a3
  %v48 = add i64 %v47, 0
  %v49 = getelementptr float, ptr %v4, i64 %v48
  %v50 = load <8 x float>, ptr %v49, align 4
  %v51 = load i64, ptr %a3
  %v52 = add i64 %v51, 0
  %v53 = getelementptr float, ptr %v6, i64 %v52
  %v54 = load <8 x float>, ptr %v53, align 4
  %v55 = fsub <8 x float> %v50, %v54
  %v56 = fmul <8 x float> %v55, %v55
  %v57 = getelementptr <8 x float>, ptr %a4, i64 0
  %v58 = load <8 x float>, ptr %v57, align 4
  %v59 = fadd <8 x float> %v58, %v56
  %v60 = getelementptr <8 x float>, ptr %a4, i64 0
  store <8 x float> %v59, ptr %v60, align 4
  %v61 = load i64, ptr %a3
  %v62 = add i64 %v61, 8
  %v63 = getelementptr float, ptr %v4, i64 %v62
  %v64 = load <8 x float>, ptr %v63, align 4
  %v65 = load i64, ptr %a3
  %v66 = add i64 %v65, 8
  %v67 = getelementptr float, ptr %v6, i64 %v66
  %v68 = load <8 x float>, ptr %v67, align 4
  %v69 = fsub <8 x float> %v64, %v68
  %v70 = fmul <8 x float> %v69, %v69
  %v71 = getelementptr <8 x float>, ptr %a4, i64 1
  %v72 = load <8 x float>, ptr %v71, align 4
  %v73 = fadd <8 x float> %v72, %v70
  %v74 = getelementptr <8 x float>, ptr %a4, i64 1
  store <8 x float> %v73, ptr %v74, align 4
  %v75 = load i64, ptr %a3
  %v76 = add i64 %v75, 16
  %v77 = getelementptr float, ptr %v4, i64 %v76
  %v78 = load <8 x float>, ptr %v77, align 4
  %v79 = load i64, ptr %a3
  %v80 = add i64 %v79, 16
  %v81 = getelementptr float, ptr %v6, i64 %v80
  %v82 = load <8 x float>, ptr %v81, align 4
  %v83 = fsub <8 x float> %v78, %v82
  %v84 = fmul <8 x float> %v83, %v83
  %v85 = getelementptr <8 x float>, ptr %a4, i64 2
  %v86 = load <8 x float>, ptr %v85, align 4
  %v87 = fadd <8 x float> %v86, %v84
  %v88 = getelementptr <8 x float>, ptr %a4, i64 2
  store <8 x float> %v87, ptr %v88, align 4
  %v89 = load i64, ptr %a3
  %v90 = add i64 %v89, 24
  %v91 = getelementptr float, ptr %v4, i64 %v90
  %v92 = load <8 x float>, ptr %v91, align 4
  %v93 = load i64, ptr %a3
  %v94 = add i64 %v93, 24
  %v95 = getelementptr float, ptr %v6, i64 %v94
  %v96 = load <8 x float>, ptr %v95, align 4
  %v97 = fsub <8 x float> %v92, %v96
  %v98 = fmul <8 x float> %v97, %v97
  %v99 = getelementptr <8 x float>, ptr %a4, i64 3
  %v100 = load <8 x float>, ptr %v99, align 4
  %v101 = fadd <8 x float> %v100, %v98
  %v102 = getelementptr <8 x float>, ptr %a4, i64 3
  store <8 x float> %v101, ptr %v102, align 4
  %v103 = load i64, ptr %a3
  %v104 = add i64 %v103, 32
  %v105 = getelementptr float, ptr %v4, i64 %v104
  %v106 = load <8 x float>, ptr %v105, align 4
  %v107 = load i64, ptr %a3
  %v108 = add i64 %v107, 32
  %v109 = getelementptr float, ptr %v6, i64 %v108
  %v110 = load <8 x float>, ptr %v109, align 4
  %v111 = fsub <8 x float> %v106, %v110
  %v112 = fmul <8 x float> %v111, %v111
  %v113 = getelementptr <8 x float>, ptr %a4, i64 4
  %v114 = load <8 x float>, ptr %v113, align 4
  %v115 = fadd <8 x float> %v114, %v112
  %v116 = getelementptr <8 x float>, ptr %a4, i64 4
  store <8 x float> %v115, ptr %v116, align 4
  %v117 = load i64, ptr %a3
  %v118 = add i64 %v117, 40
  %v119 = getelementptr float, ptr %v4, i64 %v118
  %v120 = load <8 x float>, ptr %v119, align 4
  %v121 = load i64, ptr %a3
  %v122 = add i64 %v121, 40
  %v123 = getelementptr float, ptr %v6, i64 %v122
  %v124 = load <8 x float>, ptr %v123, align 4
  %v125 = fsub <8 x float> %v120, %v124
  %v126 = fmul <8 x float> %v125, %v125
  %v127 = getelementptr <8 x float>, ptr %a4, i64 5
  %v128 = load <8 x float>, ptr %v127, align 4
  %v129 = fadd <8 x float> %v128, %v126
  %v130 = getelementptr <8 x float>, ptr %a4, i64 5
  store <8 x float> %v129, ptr %v130, align 4
  %v131 = load i64, ptr %a3
  %v132 = add i64 %v131, 48
  %v133 = getelementptr float, ptr %v4, i64 %v132
  %v134 = load <8 x float>, ptr %v133, align 4
  %v135 = load i64, ptr %a3
  %v136 = add i64 %v135, 48
  %v137 = getelementptr float, ptr %v6, i64 %v136
  %v138 = load <8 x float>, ptr %v137, align 4
  %v139 = fsub <8 x float> %v134, %v138
  %v140 = fmul <8 x float> %v139, %v139
  %v141 = getelementptr <8 x float>, ptr %a4, i64 6
  %v142 = load <8 x float>, ptr %v141, align 4
  %v143 = fadd <8 x float> %v142, %v140
  %v144 = getelementptr <8 x float>, ptr %a4, i64 6
  store <8 x float> %v143, ptr %v144, align 4
  %v145 = load i64, ptr %a3
  %v146 = add i64 %v145, 56
  %v147 = getelementptr float, ptr %v4, i64 %v146
  %v148 = load <8 x float>, ptr %v147, align 4
  %v149 = load i64, ptr %a3
  %v150 = add i64 %v149, 56
  %v151 = getelementptr float, ptr %v6, i64 %v150
  %v152 = load <8 x float>, ptr %v151, align 4
  %v153 = fsub <8 x float> %v148, %v152
  %v154 = fmul <8 x float> %v153, %v153
  %v155 = getelementptr <8 x float>, ptr %a4, i64 7
  %v156 = load <8 x float>, ptr %v155, align 4
  %v157 = fadd <8 x float> %v156, %v154
  %v158 = getelementptr <8 x float>, ptr %a4, i64 7
  store <8 x float> %v157, ptr %v158, align 4
  %v159 = load i64, ptr %a3
  %v160 = add i64 %v159, 64
  store i64 %v160, ptr %a3
  br label %b7
b9:
  %v161 = load i64, ptr %a3
  %v162 = icmp slt i64 %v161, %v19
  br i1 %v162, label %b10, label %b12
b10:
  %v163 = load i64, ptr %a3
  %v164 = add i64 %v163, 0
  %v165 = sub i64 %v19, %v164
  %v166 = icmp slt i64 8, %v165
  %v167 = select i1 %v166, i64 8, i64 %v165
  %v168 = icmp slt i64 0, %v167
  br i1 %v168, label %b13, label %b15
b13:
  %v169 = getelementptr float, ptr %v4, i64 %v164
  %v170 = trunc i64 %v167 to i32
  %v171 = insertelement <8 x i32> undef, i32 %v170, i32 0
  %v172 = shufflevector <8 x i32> %v171, <8 x i32> undef, <8 x i32> zeroinitializer
  %v173 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v172
  %v174 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v169, i32 4, <8 x i1> %v173, <8 x float> %c2)
  %v175 = getelementptr float, ptr %v6, i64 %v164
  %v176 = trunc i64 %v167 to i32
  %v177 = insertelement <8 x i32> undef, i32 %v176, i32 0
  %v178 = shufflevector <8 x i32> %v177, <8 x i32> undef, <8 x i32> zeroinitializer
  %v179 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v178
  %v180 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v175, i32 4, <8 x i1> %v179, <8 x float> %c2)
  %v181 = fsub <8 x float> %v174, %v180
  %v182 = fmul <8 x float> %v181, %v181
  %v183 = getelementptr <8 x float>, ptr %a4, i64 0
  %v184 = load <8 x float>, ptr %v183, align 4
  %v185 = fadd <8 x float> %v184, %v182
  %v186 = getelementptr <8 x float>, ptr %a4, i64 0
  %v187 = load <8 x float>, ptr %v186, align 4
  %v188 = trunc i64 %v167 to i32
  %v189 = insertelement <8 x i32> undef, i32 %v188, i32 0
  %v190 = shufflevector <8 x i32> %v189, <8 x i32> undef, <8 x i32> zeroinitializer
  %v191 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v190
  %v192 = select <8 x i1> %v191, <8 x float> %v185, <8 x float> %v187
  %v193 = getelementptr <8 x float>, ptr %a4, i64 0
  store <8 x float> %v192, ptr %v193, align 4
  br label %b15
b15:
  %v194 = load i64, ptr %a3
  %v195 = add i64 %v194, 8
  %v196 = sub i64 %v19, %v195
  %v197 = icmp slt i64 8, %v196
  %v198 = select i1 %v197, i64 8, i64 %v196
  %v199 = icmp slt i64 0, %v198
  br i1 %v199, label %b16, label %b18
b16:
  %v200 = getelementptr float, ptr %v4, i64 %v195
  %v201 = trunc i64 %v198 to i32
  %v202 = insertelement <8 x i32> undef, i32 %v201, i32 0
  %v203 = shufflevector <8 x i32> %v202, <8 x i32> undef, <8 x i32> zeroinitializer
  %v204 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v203
  %v205 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v200, i32 4, <8 x i1> %v204, <8 x float> %c2)
  %v206 = getelementptr float, ptr %v6, i64 %v195
  %v207 = trunc i64 %v198 to i32
  %v208 = insertelement <8 x i32> undef, i32 %v207, i32 0
  %v209 = shufflevector <8 x i32> %v208, <8 x i32> undef, <8 x i32> zeroinitializer
  %v210 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v209
  %v211 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v206, i32 4, <8 x i1> %v210, <8 x float> %c2)
  %v212 = fsub <8 x float> %v205, %v211
  %v213 = fmul <8 x float> %v212, %v212
  %v214 = getelementptr <8 x float>, ptr %a4, i64 1
  %v215 = load <8 x float>, ptr %v214, align 4
  %v216 = fadd <8 x float> %v215, %v213
  %v217 = getelementptr <8 x float>, ptr %a4, i64 1
  %v218 = load <8 x float>, ptr %v217, align 4
  %v219 = trunc i64 %v198 to i32
  %v220 = insertelement <8 x i32> undef, i32 %v219, i32 0
  %v221 = shufflevector <8 x i32> %v220, <8 x i32> undef, <8 x i32> zeroinitializer
  %v222 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v221
  %v223 = select <8 x i1> %v222, <8 x float> %v216, <8 x float> %v218
  %v224 = getelementptr <8 x float>, ptr %a4, i64 1
  store <8 x float> %v223, ptr %v224, align 4
  br label %b18
b18:
  %v225 = load i64, ptr %a3
  %v226 = add i64 %v225, 16
  %v227 = sub i64 %v19, %v226
  %v228 = icmp slt i64 8, %v227
  %v229 = select i1 %v228, i64 8, i64 %v227
  %v230 = icmp slt i64 0, %v229
  br i1 %v230, label %b19, label %b21
b19:
  %v231 = getelementptr float, ptr %v4, i64 %v226
  %v232 = trunc i64 %v229 to i32
  %v233 = insertelement <8 x i32> undef, i32 %v232, i32 0
  %v234 = shufflevector <8 x i32> %v233, <8 x i32> undef, <8 x i32> zeroinitializer
  %v235 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v234
  %v236 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v231, i32 4, <8 x i1> %v235, <8 x float> %c2)
  %v237 = getelementptr float, ptr %v6, i64 %v226
  %v238 = trunc i64 %v229 to i32
  %v239 = insertelement <8 x i32> undef, i32 %v238, i32 0
  %v240 = shufflevector <8 x i32> %v239, <8 x i32> undef, <8 x i32> zeroinitializer
  %v241 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v240
  %v242 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v237, i32 4, <8 x i1> %v241, <8 x float> %c2)
  %v243 = fsub <8 x float> %v236, %v242
  %v244 = fmul <8 x float> %v243, %v243
  %v245 = getelementptr <8 x float>, ptr %a4, i64 2
  %v246 = load <8 x float>, ptr %v245, align 4
  %v247 = fadd <8 x float> %v246, %v244
  %v248 = getelementptr <8 x float>, ptr %a4, i64 2
  %v249 = load <8 x float>, ptr %v248, align 4
  %v250 = trunc i64 %v229 to i32
  %v251 = insertelement <8 x i32> undef, i32 %v250, i32 0
  %v252 = shufflevector <8 x i32> %v251, <8 x i32> undef, <8 x i32> zeroinitializer
  %v253 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v252
  %v254 = select <8 x i1> %v253, <8 x float> %v247, <8 x float> %v249
  %v255 = getelementptr <8 x float>, ptr %a4, i64 2
  store <8 x float> %v254, ptr %v255, align 4
  br label %b21
b21:
  %v256 = load i64, ptr %a3
  %v257 = add i64 %v256, 24
  %v258 = sub i64 %v19, %v257
  %v259 = icmp slt i64 8, %v258
  %v260 = select i1 %v259, i64 8, i64 %v258
  %v261 = icmp slt i64 0, %v260
  br i1 %v261, label %b22, label %b24
b22:
  %v262 = getelementptr float, ptr %v4, i64 %v257
  %v263 = trunc i64 %v260 to i32
  %v264 = insertelement <8 x i32> undef, i32 %v263, i32 0
  %v265 = shufflevector <8 x i32> %v264, <8 x i32> undef, <8 x i32> zeroinitializer
  %v266 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v265
  %v267 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v262, i32 4, <8 x i1> %v266, <8 x float> %c2)
  %v268 = getelementptr float, ptr %v6, i64 %v257
  %v269 = trunc i64 %v260 to i32
  %v270 = insertelement <8 x i32> undef, i32 %v269, i32 0
  %v271 = shufflevector <8 x i32> %v270, <8 x i32> undef, <8 x i32> zeroinitializer
  %v272 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v271
  %v273 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v268, i32 4, <8 x i1> %v272, <8 x float> %c2)
  %v274 = fsub <8 x float> %v267, %v273
  %v275 = fmul <8 x float> %v274, %v274
  %v276 = getelementptr <8 x float>, ptr %a4, i64 3
  %v277 = load <8 x float>, ptr %v276, align 4
  %v278 = fadd <8 x float> %v277, %v275
  %v279 = getelementptr <8 x float>, ptr %a4, i64 3
  %v280 = load <8 x float>, ptr %v279, align 4
  %v281 = trunc i64 %v260 to i32
  %v282 = insertelement <8 x i32> undef, i32 %v281, i32 0
  %v283 = shufflevector <8 x i32> %v282, <8 x i32> undef, <8 x i32> zeroinitializer
  %v284 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v283
  %v285 = select <8 x i1> %v284, <8 x float> %v278, <8 x float> %v280
  %v286 = getelementptr <8 x float>, ptr %a4, i64 3
  store <8 x float> %v285, ptr %v286, align 4
  br label %b24
b24:
  %v287 = load i64, ptr %a3
  %v288 = add i64 %v287, 32
  %v289 = sub i64 %v19, %v288
  %v290 = icmp slt i64 8, %v289
  %v291 = select i1 %v290, i64 8, i64 %v289
  %v292 = icmp slt i64 0, %v291
  br i1 %v292, label %b25, label %b27
b25:
  %v293 = getelementptr float, ptr %v4, i64 %v288
  %v294 = trunc i64 %v291 to i32
  %v295 = insertelement <8 x i32> undef, i32 %v294, i32 0
  %v296 = shufflevector <8 x i32> %v295, <8 x i32> undef, <8 x i32> zeroinitializer
  %v297 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v296
  %v298 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v293, i32 4, <8 x i1> %v297, <8 x float> %c2)
  %v299 = getelementptr float, ptr %v6, i64 %v288
  %v300 = trunc i64 %v291 to i32
  %v301 = insertelement <8 x i32> undef, i32 %v300, i32 0
  %v302 = shufflevector <8 x i32> %v301, <8 x i32> undef, <8 x i32> zeroinitializer
  %v303 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v302
  %v304 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v299, i32 4, <8 x i1> %v303, <8 x float> %c2)
  %v305 = fsub <8 x float> %v298, %v304
  %v306 = fmul <8 x float> %v305, %v305
  %v307 = getelementptr <8 x float>, ptr %a4, i64 4
  %v308 = load <8 x float>, ptr %v307, align 4
  %v309 = fadd <8 x float> %v308, %v306
  %v310 = getelementptr <8 x float>, ptr %a4, i64 4
  %v311 = load <8 x float>, ptr %v310, align 4
  %v312 = trunc i64 %v291 to i32
  %v313 = insertelement <8 x i32> undef, i32 %v312, i32 0
  %v314 = shufflevector <8 x i32> %v313, <8 x i32> undef, <8 x i32> zeroinitializer
  %v315 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v314
  %v316 = select <8 x i1> %v315, <8 x float> %v309, <8 x float> %v311
  %v317 = getelementptr <8 x float>, ptr %a4, i64 4
  store <8 x float> %v316, ptr %v317, align 4
  br label %b27
b27:
  %v318 = load i64, ptr %a3
  %v319 = add i64 %v318, 40
  %v320 = sub i64 %v19, %v319
  %v321 = icmp slt i64 8, %v320
  %v322 = select i1 %v321, i64 8, i64 %v320
  %v323 = icmp slt i64 0, %v322
  br i1 %v323, label %b28, label %b30
b28:
  %v324 = getelementptr float, ptr %v4, i64 %v319
  %v325 = trunc i64 %v322 to i32
  %v326 = insertelement <8 x i32> undef, i32 %v325, i32 0
  %v327 = shufflevector <8 x i32> %v326, <8 x i32> undef, <8 x i32> zeroinitializer
  %v328 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v327
  %v329 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v324, i32 4, <8 x i1> %v328, <8 x float> %c2)
  %v330 = getelementptr float, ptr %v6, i64 %v319
  %v331 = trunc i64 %v322 to i32
  %v332 = insertelement <8 x i32> undef, i32 %v331, i32 0
  %v333 = shufflevector <8 x i32> %v332, <8 x i32> undef, <8 x i32> zeroinitializer
  %v334 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v333
  %v335 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v330, i32 4, <8 x i1> %v334, <8 x float> %c2)
  %v336 = fsub <8 x float> %v329, %v335
  %v337 = fmul <8 x float> %v336, %v336
  %v338 = getelementptr <8 x float>, ptr %a4, i64 5
  %v339 = load <8 x float>, ptr %v338, align 4
  %v340 = fadd <8 x float> %v339, %v337
  %v341 = getelementptr <8 x float>, ptr %a4, i64 5
  %v342 = load <8 x float>, ptr %v341, align 4
  %v343 = trunc i64 %v322 to i32
  %v344 = insertelement <8 x i32> undef, i32 %v343, i32 0
  %v345 = shufflevector <8 x i32> %v344, <8 x i32> undef, <8 x i32> zeroinitializer
  %v346 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v345
  %v347 = select <8 x i1> %v346, <8 x float> %v340, <8 x float> %v342
  %v348 = getelementptr <8 x float>, ptr %a4, i64 5
  store <8 x float> %v347, ptr %v348, align 4
  br label %b30
b30:
  %v349 = load i64, ptr %a3
  %v350 = add i64 %v349, 48
  %v351 = sub i64 %v19, %v350
  %v352 = icmp slt i64 8, %v351
  %v353 = select i1 %v352, i64 8, i64 %v351
  %v354 = icmp slt i64 0, %v353
  br i1 %v354, label %b31, label %b33
b31:
  %v355 = getelementptr float, ptr %v4, i64 %v350
  %v356 = trunc i64 %v353 to i32
  %v357 = insertelement <8 x i32> undef, i32 %v356, i32 0
  %v358 = shufflevector <8 x i32> %v357, <8 x i32> undef, <8 x i32> zeroinitializer
  %v359 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v358
  %v360 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v355, i32 4, <8 x i1> %v359, <8 x float> %c2)
  %v361 = getelementptr float, ptr %v6, i64 %v350
  %v362 = trunc i64 %v353 to i32
  %v363 = insertelement <8 x i32> undef, i32 %v362, i32 0
  %v364 = shufflevector <8 x i32> %v363, <8 x i32> undef, <8 x i32> zeroinitializer
  %v365 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v364
  %v366 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v361, i32 4, <8 x i1> %v365, <8 x float> %c2)
  %v367 = fsub <8 x float> %v360, %v366
  %v368 = fmul <8 x float> %v367, %v367
  %v369 = getelementptr <8 x float>, ptr %a4, i64 6
  %v370 = load <8 x float>, ptr %v369, align 4
  %v371 = fadd <8 x float> %v370, %v368
  %v372 = getelementptr <8 x float>, ptr %a4, i64 6
  %v373 = load <8 x float>, ptr %v372, align 4
  %v374 = trunc i64 %v353 to i32
  %v375 = insertelement <8 x i32> undef, i32 %v374, i32 0
  %v376 = shufflevector <8 x i32> %v375, <8 x i32> undef, <8 x i32> zeroinitializer
  %v377 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v376
  %v378 = select <8 x i1> %v377, <8 x float> %v371, <8 x float> %v373
  %v379 = getelementptr <8 x float>, ptr %a4, i64 6
  store <8 x float> %v378, ptr %v379, align 4
  br label %b33
b33:
  %v380 = load i64, ptr %a3
  %v381 = add i64 %v380, 56
  %v382 = sub i64 %v19, %v381
  %v383 = icmp slt i64 8, %v382
  %v384 = select i1 %v383, i64 8, i64 %v382
  %v385 = icmp slt i64 0, %v384
  br i1 %v385, label %b34, label %b36
b34:
  %v386 = getelementptr float, ptr %v4, i64 %v381
  %v387 = trunc i64 %v384 to i32
  %v388 = insertelement <8 x i32> undef, i32 %v387, i32 0
  %v389 = shufflevector <8 x i32> %v388, <8 x i32> undef, <8 x i32> zeroinitializer
  %v390 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v389
  %v391 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v386, i32 4, <8 x i1> %v390, <8 x float> %c2)
  %v392 = getelementptr float, ptr %v6, i64 %v381
  %v393 = trunc i64 %v384 to i32
  %v394 = insertelement <8 x i32> undef, i32 %v393, i32 0
  %v395 = shufflevector <8 x i32> %v394, <8 x i32> undef, <8 x i32> zeroinitializer
  %v396 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v395
  %v397 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v392, i32 4, <8 x i1> %v396, <8 x float> %c2)
  %v398 = fsub <8 x float> %v391, %v397
  %v399 = fmul <8 x float> %v398, %v398
  %v400 = getelementptr <8 x float>, ptr %a4, i64 7
  %v401 = load <8 x float>, ptr %v400, align 4
  %v402 = fadd <8 x float> %v401, %v399
  %v403 = getelementptr <8 x float>, ptr %a4, i64 7
  %v404 = load <8 x float>, ptr %v403, align 4
  %v405 = trunc i64 %v384 to i32
  %v406 = insertelement <8 x i32> undef, i32 %v405, i32 0
  %v407 = shufflevector <8 x i32> %v406, <8 x i32> undef, <8 x i32> zeroinitializer
  %v408 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v407
  %v409 = select <8 x i1> %v408, <8 x float> %v402, <8 x float> %v404
  %v410 = getelementptr <8 x float>, ptr %a4, i64 7
  store <8 x float> %v409, ptr %v410, align 4
  br label %b36
b36:
  br label %b12
b12:
  %v411 = icmp slt i64 32, %v21
  br i1 %v411, label %b37, label %b39
b37:
  %v412 = getelementptr <8 x float>, ptr %a4, i64 0
  %v413 = load <8 x float>, ptr %v412, align 4
  %v414 = getelementptr <8 x float>, ptr %a4, i64 4
  %v415 = load <8 x float>, ptr %v414, align 4
  %v416 = fadd <8 x float> %v413, %v415
  %v417 = getelementptr <8 x float>, ptr %a4, i64 0
  store <8 x float> %v416, ptr %v417, align 4
  %v418 = getelementptr <8 x float>, ptr %a4, i64 1
  %v419 = load <8 x float>, ptr %v418, align 4
  %v420 = getelementptr <8 x float>, ptr %a4, i64 5
  %v421 = load <8 x float>, ptr %v420, align 4
  %v422 = fadd <8 x float> %v419, %v421
  %v423 = getelementptr <8 x float>, ptr %a4, i64 1
  store <8 x float> %v422, ptr %v423, align 4
  %v424 = getelementptr <8 x float>, ptr %a4, i64 2
  %v425 = load <8 x float>, ptr %v424, align 4
  %v426 = getelementptr <8 x float>, ptr %a4, i64 6
  %v427 = load <8 x float>, ptr %v426, align 4
  %v428 = fadd <8 x float> %v425, %v427
  %v429 = getelementptr <8 x float>, ptr %a4, i64 2
  store <8 x float> %v428, ptr %v429, align 4
  %v430 = getelementptr <8 x float>, ptr %a4, i64 3
  %v431 = load <8 x float>, ptr %v430, align 4
  %v432 = getelementptr <8 x float>, ptr %a4, i64 7
  %v433 = load <8 x float>, ptr %v432, align 4
  %v434 = fadd <8 x float> %v431, %v433
  %v435 = getelementptr <8 x float>, ptr %a4, i64 3
  store <8 x float> %v434, ptr %v435, align 4
  br label %b39
b39:
  %v436 = icmp slt i64 16, %v21
  br i1 %v436, label %b40, label %b42
b40:
  %v437 = getelementptr <8 x float>, ptr %a4, i64 0
  %v438 = load <8 x float>, ptr %v437, align 4
  %v439 = getelementptr <8 x float>, ptr %a4, i64 2
  %v440 = load <8 x float>, ptr %v439, align 4
  %v441 = fadd <8 x float> %v438, %v440
  %v442 = getelementptr <8 x float>, ptr %a4, i64 0
  store <8 x float> %v441, ptr %v442, align 4
  %v443 = getelementptr <8 x float>, ptr %a4, i64 1
  %v444 = load <8 x float>, ptr %v443, align 4
  %v445 = getelementptr <8 x float>, ptr %a4, i64 3
  %v446 = load <8 x float>, ptr %v445, align 4
  %v447 = fadd <8 x float> %v444, %v446
  %v448 = getelementptr <8 x float>, ptr %a4, i64 1
  store <8 x float> %v447, ptr %v448, align 4
  br label %b42
b42:
  %v449 = icmp slt i64 8, %v21
  br i1 %v449, label %b43, label %b45
b43:
  %v450 = getelementptr <8 x float>, ptr %a4, i64 0
  %v451 = load <8 x float>, ptr %v450, align 4
  %v452 = getelementptr <8 x float>, ptr %a4, i64 1
  %v453 = load <8 x float>, ptr %v452, align 4
  %v454 = fadd <8 x float> %v451, %v453
  %v455 = getelementptr <8 x float>, ptr %a4, i64 0
  store <8 x float> %v454, ptr %v455, align 4
  br label %b45
b45:
  %v456 = getelementptr <8 x float>, ptr %a4, i64 0
  %v457 = load <8 x float>, ptr %v456, align 4
  store <8 x float> %v457, ptr %a5, align 4
  %v458 = icmp slt i64 4, %v21
  br i1 %v458, label %b46, label %b48
b46:
  %v459 = load <8 x float>, ptr %a5, align 4
  %v460 = load <8 x float>, ptr %a5, align 4
  %v461 = shufflevector <8 x float> %v460, <8 x float> undef, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3>
  %v462 = fadd <8 x float> %v459, %v461
  store <8 x float> %v462, ptr %a5, align 4
  br label %b48
b48:
  %v463 = icmp slt i64 2, %v21
  br i1 %v463, label %b49, label %b51
b49:
  %v464 = load <8 x float>, ptr %a5, align 4
  %v465 = load <8 x float>, ptr %a5, align 4
  %v466 = shufflevector <8 x float> %v465, <8 x float> undef, <8 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 0, i32 1>
  %v467 = fadd <8 x float> %v464, %v466
  store <8 x float> %v467, ptr %a5, align 4
  br label %b51
b51:
  %v468 = icmp slt i64 1, %v21
  br i1 %v468, label %b52, label %b54
b52:
  %v469 = load <8 x float>, ptr %a5, align 4
  %v470 = load <8 x float>, ptr %a5, align 4
  %v471 = shufflevector <8 x float> %v470, <8 x float> undef, <8 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 0>
  %v472 = fadd <8 x float> %v469, %v471
  store <8 x float> %v472, ptr %a5, align 4
  br label %b54
b54:
  %v473 = mul i64 %v11, 1
  %v474 = add i64 %v473, %v9
  %v475 = getelementptr i64, ptr %p5, i64 %v474
  %v476 = load <8 x float>, ptr %a5, align 4
  %v477 = extractelement <8 x float> %v476, i32 0
  store float %v477, ptr %v475, align 4
  %v478 = add i64 %v11, 1
  store i64 %v478, ptr %a2
  br label %b4
b6:
  %v479 = add i64 %v9, 1
  store i64 %v479, ptr %a1
  br label %b1
b3:
  ret void
}
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
