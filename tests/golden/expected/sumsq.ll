declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
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
  %v7 = getelementptr i64, ptr %p0, i64 5
  %v8 = load ptr, ptr %v7
  %v9 = ptrtoint ptr %p5 to i64
  %v10 = icmp ne i64 %v9, 0
  %v11 = add i64 %v2, 4095
  %v12 = sdiv i64 %v11, 4096
  store i64 %p1, ptr %a1
  br label %b1
b1:
  %v13 = load i64, ptr %a1
  %v14 = icmp slt i64 %v13, %p2
  br i1 %v14, label %b2, label %b3
b2:
  store i64 %p3, ptr %a2
  br label %b4
b4:
  %v15 = load i64, ptr %a2
  %v16 = icmp slt i64 %v12, %p4
  %v17 = select i1 %v16, i64 %v12, i64 %p4
  %v18 = icmp slt i64 %v15, %v17
  br i1 %v18, label %b5, label %b6
b5:
  %v19 = mul i64 %v15, 4096
  store i64 %v19, ptr %a3
  %v20 = load i64, ptr %a3
  %v21 = add i64 %v20, 4096
  %v22 = icmp slt i64 %v2, %v21
  %v23 = select i1 %v22, i64 %v2, i64 %v21
  %v24 = load i64, ptr %a3
  %v25 = sub i64 %v23, %v24
  %v26 = getelementptr <8 x float>, ptr %a4, i64 0
  store <8 x float> %c1, ptr %v26, align 4
  %v27 = getelementptr <8 x float>, ptr %a4, i64 1
  store <8 x float> %c1, ptr %v27, align 4
  %v28 = getelementptr <8 x float>, ptr %a4, i64 2
  store <8 x float> %c1, ptr %v28, align 4
  %v29 = getelementptr <8 x float>, ptr %a4, i64 3
  store <8 x float> %c1, ptr %v29, align 4
  %v30 = getelementptr <8 x float>, ptr %a4, i64 4
  store <8 x float> %c1, ptr %v30, align 4
  %v31 = getelementptr <8 x float>, ptr %a4, i64 5
  store <8 x float> %c1, ptr %v31, align 4
  %v32 = getelementptr <8 x float>, ptr %a4, i64 6
  store <8 x float> %c1, ptr %v32, align 4
  %v33 = getelementptr <8 x float>, ptr %a4, i64 7
  store <8 x float> %c1, ptr %v33, align 4
  br label %b7
b7:
  %v34 = load i64, ptr %a3
  %v35 = add i64 %v34, 64
  %v36 = icmp sle i64 %v35, %v23
  br i1 %v36, label %b8, label %b9
b8:
  %v37 = load i64, ptr %a3
  %v38 = add i64 %v37, 512
  %v39 = getelementptr float, ptr %v4, i64 %v38
  %v40 = getelementptr i8, ptr %v39, i64 0
  call void @llvm.prefetch.p0(ptr %v40, i32 0, i32 3, i32 1)
  %v41 = getelementptr i8, ptr %v39, i64 64
  call void @llvm.prefetch.p0(ptr %v41, i32 0, i32 3, i32 1)
  %v42 = getelementptr i8, ptr %v39, i64 128
  call void @llvm.prefetch.p0(ptr %v42, i32 0, i32 3, i32 1)
  %v43 = getelementptr i8, ptr %v39, i64 192
  call void @llvm.prefetch.p0(ptr %v43, i32 0, i32 3, i32 1)
  %v44 = load i64, ptr %a3
  %v45 = add i64 %v44, 512
  %v46 = getelementptr float, ptr %v6, i64 %v45
  %v47 = getelementptr i8, ptr %v46, i64 0
  call void @llvm.prefetch.p0(ptr %v47, i32 0, i32 3, i32 1)
  %v48 = getelementptr i8, ptr %v46, i64 64
  call void @llvm.prefetch.p0(ptr %v48, i32 0, i32 3, i32 1)
  %v49 = getelementptr i8, ptr %v46, i64 128
  call void @llvm.prefetch.p0(ptr %v49, i32 0, i32 3, i32 1)
  %v50 = getelementptr i8, ptr %v46, i64 192
  call void @llvm.prefetch.p0(ptr %v50, i32 0, i32 3, i32 1)
  %v51 = load i64, ptr %a3
  %v52 = mul i64 0, 8
  %v53 = add i64 %v51, %v52
  %v54 = getelementptr float, ptr %v4, i64 %v53
  %v55 = load <8 x float>, ptr %v54, align 4
  %v56 = load i64, ptr %a3
  %v57 = mul i64 0, 8
  %v58 = add i64 %v56, %v57
  %v59 = getelementptr float, ptr %v6, i64 %v58
  %v60 = load <8 x float>, ptr %v59, align 4
  %v61 = fsub <8 x float> %v55, %v60
  %v62 = fmul <8 x float> %v61, %v61
  %v63 = getelementptr <8 x float>, ptr %a4, i64 0
  %v64 = load <8 x float>, ptr %v63, align 4
  %v65 = fadd <8 x float> %v64, %v62
  %v66 = getelementptr <8 x float>, ptr %a4, i64 0
  store <8 x float> %v65, ptr %v66, align 4
  %v67 = load i64, ptr %a3
  %v68 = mul i64 1, 8
  %v69 = add i64 %v67, %v68
  %v70 = getelementptr float, ptr %v4, i64 %v69
  %v71 = load <8 x float>, ptr %v70, align 4
  %v72 = load i64, ptr %a3
  %v73 = mul i64 1, 8
  %v74 = add i64 %v72, %v73
  %v75 = getelementptr float, ptr %v6, i64 %v74
  %v76 = load <8 x float>, ptr %v75, align 4
  %v77 = fsub <8 x float> %v71, %v76
  %v78 = fmul <8 x float> %v77, %v77
  %v79 = getelementptr <8 x float>, ptr %a4, i64 1
  %v80 = load <8 x float>, ptr %v79, align 4
  %v81 = fadd <8 x float> %v80, %v78
  %v82 = getelementptr <8 x float>, ptr %a4, i64 1
  store <8 x float> %v81, ptr %v82, align 4
  %v83 = load i64, ptr %a3
  %v84 = mul i64 2, 8
  %v85 = add i64 %v83, %v84
  %v86 = getelementptr float, ptr %v4, i64 %v85
  %v87 = load <8 x float>, ptr %v86, align 4
  %v88 = load i64, ptr %a3
  %v89 = mul i64 2, 8
  %v90 = add i64 %v88, %v89
  %v91 = getelementptr float, ptr %v6, i64 %v90
  %v92 = load <8 x float>, ptr %v91, align 4
  %v93 = fsub <8 x float> %v87, %v92
  %v94 = fmul <8 x float> %v93, %v93
  %v95 = getelementptr <8 x float>, ptr %a4, i64 2
  %v96 = load <8 x float>, ptr %v95, align 4
  %v97 = fadd <8 x float> %v96, %v94
  %v98 = getelementptr <8 x float>, ptr %a4, i64 2
  store <8 x float> %v97, ptr %v98, align 4
  %v99 = load i64, ptr %a3
  %v100 = mul i64 3, 8
  %v101 = add i64 %v99, %v100
  %v102 = getelementptr float, ptr %v4, i64 %v101
  %v103 = load <8 x float>, ptr %v102, align 4
  %v104 = load i64, ptr %a3
  %v105 = mul i64 3, 8
  %v106 = add i64 %v104, %v105
  %v107 = getelementptr float, ptr %v6, i64 %v106
  %v108 = load <8 x float>, ptr %v107, align 4
  %v109 = fsub <8 x float> %v103, %v108
  %v110 = fmul <8 x float> %v109, %v109
  %v111 = getelementptr <8 x float>, ptr %a4, i64 3
  %v112 = load <8 x float>, ptr %v111, align 4
  %v113 = fadd <8 x float> %v112, %v110
  %v114 = getelementptr <8 x float>, ptr %a4, i64 3
  store <8 x float> %v113, ptr %v114, align 4
  %v115 = load i64, ptr %a3
  %v116 = mul i64 4, 8
  %v117 = add i64 %v115, %v116
  %v118 = getelementptr float, ptr %v4, i64 %v117
  %v119 = load <8 x float>, ptr %v118, align 4
  %v120 = load i64, ptr %a3
  %v121 = mul i64 4, 8
  %v122 = add i64 %v120, %v121
  %v123 = getelementptr float, ptr %v6, i64 %v122
  %v124 = load <8 x float>, ptr %v123, align 4
  %v125 = fsub <8 x float> %v119, %v124
  %v126 = fmul <8 x float> %v125, %v125
  %v127 = getelementptr <8 x float>, ptr %a4, i64 4
  %v128 = load <8 x float>, ptr %v127, align 4
  %v129 = fadd <8 x float> %v128, %v126
  %v130 = getelementptr <8 x float>, ptr %a4, i64 4
  store <8 x float> %v129, ptr %v130, align 4
  %v131 = load i64, ptr %a3
  %v132 = mul i64 5, 8
  %v133 = add i64 %v131, %v132
  %v134 = getelementptr float, ptr %v4, i64 %v133
  %v135 = load <8 x float>, ptr %v134, align 4
  %v136 = load i64, ptr %a3
  %v137 = mul i64 5, 8
  %v138 = add i64 %v136, %v137
  %v139 = getelementptr float, ptr %v6, i64 %v138
  %v140 = load <8 x float>, ptr %v139, align 4
  %v141 = fsub <8 x float> %v135, %v140
  %v142 = fmul <8 x float> %v141, %v141
  %v143 = getelementptr <8 x float>, ptr %a4, i64 5
  %v144 = load <8 x float>, ptr %v143, align 4
  %v145 = fadd <8 x float> %v144, %v142
  %v146 = getelementptr <8 x float>, ptr %a4, i64 5
  store <8 x float> %v145, ptr %v146, align 4
  %v147 = load i64, ptr %a3
  %v148 = mul i64 6, 8
  %v149 = add i64 %v147, %v148
  %v150 = getelementptr float, ptr %v4, i64 %v149
  %v151 = load <8 x float>, ptr %v150, align 4
  %v152 = load i64, ptr %a3
  %v153 = mul i64 6, 8
  %v154 = add i64 %v152, %v153
  %v155 = getelementptr float, ptr %v6, i64 %v154
  %v156 = load <8 x float>, ptr %v155, align 4
  %v157 = fsub <8 x float> %v151, %v156
  %v158 = fmul <8 x float> %v157, %v157
  %v159 = getelementptr <8 x float>, ptr %a4, i64 6
  %v160 = load <8 x float>, ptr %v159, align 4
  %v161 = fadd <8 x float> %v160, %v158
  %v162 = getelementptr <8 x float>, ptr %a4, i64 6
  store <8 x float> %v161, ptr %v162, align 4
  %v163 = load i64, ptr %a3
  %v164 = mul i64 7, 8
  %v165 = add i64 %v163, %v164
  %v166 = getelementptr float, ptr %v4, i64 %v165
  %v167 = load <8 x float>, ptr %v166, align 4
  %v168 = load i64, ptr %a3
  %v169 = mul i64 7, 8
  %v170 = add i64 %v168, %v169
  %v171 = getelementptr float, ptr %v6, i64 %v170
  %v172 = load <8 x float>, ptr %v171, align 4
  %v173 = fsub <8 x float> %v167, %v172
  %v174 = fmul <8 x float> %v173, %v173
  %v175 = getelementptr <8 x float>, ptr %a4, i64 7
  %v176 = load <8 x float>, ptr %v175, align 4
  %v177 = fadd <8 x float> %v176, %v174
  %v178 = getelementptr <8 x float>, ptr %a4, i64 7
  store <8 x float> %v177, ptr %v178, align 4
  %v179 = load i64, ptr %a3
  %v180 = add i64 %v179, 64
  store i64 %v180, ptr %a3
  br label %b7
b9:
  %v181 = load i64, ptr %a3
  %v182 = icmp slt i64 %v181, %v23
  br i1 %v182, label %b10, label %b12
b10:
  %v183 = load i64, ptr %a3
  %v184 = mul i64 0, 8
  %v185 = add i64 %v183, %v184
  %v186 = sub i64 %v23, %v185
  %v187 = icmp slt i64 8, %v186
  %v188 = select i1 %v187, i64 8, i64 %v186
  %v189 = icmp slt i64 0, %v188
  br i1 %v189, label %b13, label %b15
b13:
  %v190 = getelementptr float, ptr %v4, i64 %v185
  %v191 = insertelement <8 x i64> undef, i64 %v188, i32 0
  %v192 = shufflevector <8 x i64> %v191, <8 x i64> undef, <8 x i32> zeroinitializer
  %v193 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v192
  %v194 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v190, i32 4, <8 x i1> %v193, <8 x float> %c2)
  %v195 = getelementptr float, ptr %v6, i64 %v185
  %v196 = insertelement <8 x i64> undef, i64 %v188, i32 0
  %v197 = shufflevector <8 x i64> %v196, <8 x i64> undef, <8 x i32> zeroinitializer
  %v198 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v197
  %v199 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v195, i32 4, <8 x i1> %v198, <8 x float> %c2)
  %v200 = fsub <8 x float> %v194, %v199
  %v201 = fmul <8 x float> %v200, %v200
  %v202 = getelementptr <8 x float>, ptr %a4, i64 0
  %v203 = load <8 x float>, ptr %v202, align 4
  %v204 = fadd <8 x float> %v203, %v201
  %v205 = getelementptr <8 x float>, ptr %a4, i64 0
  %v206 = load <8 x float>, ptr %v205, align 4
  %v207 = insertelement <8 x i64> undef, i64 %v188, i32 0
  %v208 = shufflevector <8 x i64> %v207, <8 x i64> undef, <8 x i32> zeroinitializer
  %v209 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v208
  %v210 = select <8 x i1> %v209, <8 x float> %v204, <8 x float> %v206
  %v211 = getelementptr <8 x float>, ptr %a4, i64 0
  store <8 x float> %v210, ptr %v211, align 4
  br label %b15
b15:
  %v212 = load i64, ptr %a3
  %v213 = mul i64 1, 8
  %v214 = add i64 %v212, %v213
  %v215 = sub i64 %v23, %v214
  %v216 = icmp slt i64 8, %v215
  %v217 = select i1 %v216, i64 8, i64 %v215
  %v218 = icmp slt i64 0, %v217
  br i1 %v218, label %b16, label %b18
b16:
  %v219 = getelementptr float, ptr %v4, i64 %v214
  %v220 = insertelement <8 x i64> undef, i64 %v217, i32 0
  %v221 = shufflevector <8 x i64> %v220, <8 x i64> undef, <8 x i32> zeroinitializer
  %v222 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v221
  %v223 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v219, i32 4, <8 x i1> %v222, <8 x float> %c2)
  %v224 = getelementptr float, ptr %v6, i64 %v214
  %v225 = insertelement <8 x i64> undef, i64 %v217, i32 0
  %v226 = shufflevector <8 x i64> %v225, <8 x i64> undef, <8 x i32> zeroinitializer
  %v227 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v226
  %v228 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v224, i32 4, <8 x i1> %v227, <8 x float> %c2)
  %v229 = fsub <8 x float> %v223, %v228
  %v230 = fmul <8 x float> %v229, %v229
  %v231 = getelementptr <8 x float>, ptr %a4, i64 1
  %v232 = load <8 x float>, ptr %v231, align 4
  %v233 = fadd <8 x float> %v232, %v230
  %v234 = getelementptr <8 x float>, ptr %a4, i64 1
  %v235 = load <8 x float>, ptr %v234, align 4
  %v236 = insertelement <8 x i64> undef, i64 %v217, i32 0
  %v237 = shufflevector <8 x i64> %v236, <8 x i64> undef, <8 x i32> zeroinitializer
  %v238 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v237
  %v239 = select <8 x i1> %v238, <8 x float> %v233, <8 x float> %v235
  %v240 = getelementptr <8 x float>, ptr %a4, i64 1
  store <8 x float> %v239, ptr %v240, align 4
  br label %b18
b18:
  %v241 = load i64, ptr %a3
  %v242 = mul i64 2, 8
  %v243 = add i64 %v241, %v242
  %v244 = sub i64 %v23, %v243
  %v245 = icmp slt i64 8, %v244
  %v246 = select i1 %v245, i64 8, i64 %v244
  %v247 = icmp slt i64 0, %v246
  br i1 %v247, label %b19, label %b21
b19:
  %v248 = getelementptr float, ptr %v4, i64 %v243
  %v249 = insertelement <8 x i64> undef, i64 %v246, i32 0
  %v250 = shufflevector <8 x i64> %v249, <8 x i64> undef, <8 x i32> zeroinitializer
  %v251 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v250
  %v252 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v248, i32 4, <8 x i1> %v251, <8 x float> %c2)
  %v253 = getelementptr float, ptr %v6, i64 %v243
  %v254 = insertelement <8 x i64> undef, i64 %v246, i32 0
  %v255 = shufflevector <8 x i64> %v254, <8 x i64> undef, <8 x i32> zeroinitializer
  %v256 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v255
  %v257 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v253, i32 4, <8 x i1> %v256, <8 x float> %c2)
  %v258 = fsub <8 x float> %v252, %v257
  %v259 = fmul <8 x float> %v258, %v258
  %v260 = getelementptr <8 x float>, ptr %a4, i64 2
  %v261 = load <8 x float>, ptr %v260, align 4
  %v262 = fadd <8 x float> %v261, %v259
  %v263 = getelementptr <8 x float>, ptr %a4, i64 2
  %v264 = load <8 x float>, ptr %v263, align 4
  %v265 = insertelement <8 x i64> undef, i64 %v246, i32 0
  %v266 = shufflevector <8 x i64> %v265, <8 x i64> undef, <8 x i32> zeroinitializer
  %v267 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v266
  %v268 = select <8 x i1> %v267, <8 x float> %v262, <8 x float> %v264
  %v269 = getelementptr <8 x float>, ptr %a4, i64 2
  store <8 x float> %v268, ptr %v269, align 4
  br label %b21
b21:
  %v270 = load i64, ptr %a3
  %v271 = mul i64 3, 8
  %v272 = add i64 %v270, %v271
  %v273 = sub i64 %v23, %v272
  %v274 = icmp slt i64 8, %v273
  %v275 = select i1 %v274, i64 8, i64 %v273
  %v276 = icmp slt i64 0, %v275
  br i1 %v276, label %b22, label %b24
b22:
  %v277 = getelementptr float, ptr %v4, i64 %v272
  %v278 = insertelement <8 x i64> undef, i64 %v275, i32 0
  %v279 = shufflevector <8 x i64> %v278, <8 x i64> undef, <8 x i32> zeroinitializer
  %v280 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v279
  %v281 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v277, i32 4, <8 x i1> %v280, <8 x float> %c2)
  %v282 = getelementptr float, ptr %v6, i64 %v272
  %v283 = insertelement <8 x i64> undef, i64 %v275, i32 0
  %v284 = shufflevector <8 x i64> %v283, <8 x i64> undef, <8 x i32> zeroinitializer
  %v285 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v284
  %v286 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v282, i32 4, <8 x i1> %v285, <8 x float> %c2)
  %v287 = fsub <8 x float> %v281, %v286
  %v288 = fmul <8 x float> %v287, %v287
  %v289 = getelementptr <8 x float>, ptr %a4, i64 3
  %v290 = load <8 x float>, ptr %v289, align 4
  %v291 = fadd <8 x float> %v290, %v288
  %v292 = getelementptr <8 x float>, ptr %a4, i64 3
  %v293 = load <8 x float>, ptr %v292, align 4
  %v294 = insertelement <8 x i64> undef, i64 %v275, i32 0
  %v295 = shufflevector <8 x i64> %v294, <8 x i64> undef, <8 x i32> zeroinitializer
  %v296 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v295
  %v297 = select <8 x i1> %v296, <8 x float> %v291, <8 x float> %v293
  %v298 = getelementptr <8 x float>, ptr %a4, i64 3
  store <8 x float> %v297, ptr %v298, align 4
  br label %b24
b24:
  %v299 = load i64, ptr %a3
  %v300 = mul i64 4, 8
  %v301 = add i64 %v299, %v300
  %v302 = sub i64 %v23, %v301
  %v303 = icmp slt i64 8, %v302
  %v304 = select i1 %v303, i64 8, i64 %v302
  %v305 = icmp slt i64 0, %v304
  br i1 %v305, label %b25, label %b27
b25:
  %v306 = getelementptr float, ptr %v4, i64 %v301
  %v307 = insertelement <8 x i64> undef, i64 %v304, i32 0
  %v308 = shufflevector <8 x i64> %v307, <8 x i64> undef, <8 x i32> zeroinitializer
  %v309 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v308
  %v310 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v306, i32 4, <8 x i1> %v309, <8 x float> %c2)
  %v311 = getelementptr float, ptr %v6, i64 %v301
  %v312 = insertelement <8 x i64> undef, i64 %v304, i32 0
  %v313 = shufflevector <8 x i64> %v312, <8 x i64> undef, <8 x i32> zeroinitializer
  %v314 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v313
  %v315 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v311, i32 4, <8 x i1> %v314, <8 x float> %c2)
  %v316 = fsub <8 x float> %v310, %v315
  %v317 = fmul <8 x float> %v316, %v316
  %v318 = getelementptr <8 x float>, ptr %a4, i64 4
  %v319 = load <8 x float>, ptr %v318, align 4
  %v320 = fadd <8 x float> %v319, %v317
  %v321 = getelementptr <8 x float>, ptr %a4, i64 4
  %v322 = load <8 x float>, ptr %v321, align 4
  %v323 = insertelement <8 x i64> undef, i64 %v304, i32 0
  %v324 = shufflevector <8 x i64> %v323, <8 x i64> undef, <8 x i32> zeroinitializer
  %v325 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v324
  %v326 = select <8 x i1> %v325, <8 x float> %v320, <8 x float> %v322
  %v327 = getelementptr <8 x float>, ptr %a4, i64 4
  store <8 x float> %v326, ptr %v327, align 4
  br label %b27
b27:
  %v328 = load i64, ptr %a3
  %v329 = mul i64 5, 8
  %v330 = add i64 %v328, %v329
  %v331 = sub i64 %v23, %v330
  %v332 = icmp slt i64 8, %v331
  %v333 = select i1 %v332, i64 8, i64 %v331
  %v334 = icmp slt i64 0, %v333
  br i1 %v334, label %b28, label %b30
b28:
  %v335 = getelementptr float, ptr %v4, i64 %v330
  %v336 = insertelement <8 x i64> undef, i64 %v333, i32 0
  %v337 = shufflevector <8 x i64> %v336, <8 x i64> undef, <8 x i32> zeroinitializer
  %v338 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v337
  %v339 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v335, i32 4, <8 x i1> %v338, <8 x float> %c2)
  %v340 = getelementptr float, ptr %v6, i64 %v330
  %v341 = insertelement <8 x i64> undef, i64 %v333, i32 0
  %v342 = shufflevector <8 x i64> %v341, <8 x i64> undef, <8 x i32> zeroinitializer
  %v343 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v342
  %v344 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v340, i32 4, <8 x i1> %v343, <8 x float> %c2)
  %v345 = fsub <8 x float> %v339, %v344
  %v346 = fmul <8 x float> %v345, %v345
  %v347 = getelementptr <8 x float>, ptr %a4, i64 5
  %v348 = load <8 x float>, ptr %v347, align 4
  %v349 = fadd <8 x float> %v348, %v346
  %v350 = getelementptr <8 x float>, ptr %a4, i64 5
  %v351 = load <8 x float>, ptr %v350, align 4
  %v352 = insertelement <8 x i64> undef, i64 %v333, i32 0
  %v353 = shufflevector <8 x i64> %v352, <8 x i64> undef, <8 x i32> zeroinitializer
  %v354 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v353
  %v355 = select <8 x i1> %v354, <8 x float> %v349, <8 x float> %v351
  %v356 = getelementptr <8 x float>, ptr %a4, i64 5
  store <8 x float> %v355, ptr %v356, align 4
  br label %b30
b30:
  %v357 = load i64, ptr %a3
  %v358 = mul i64 6, 8
  %v359 = add i64 %v357, %v358
  %v360 = sub i64 %v23, %v359
  %v361 = icmp slt i64 8, %v360
  %v362 = select i1 %v361, i64 8, i64 %v360
  %v363 = icmp slt i64 0, %v362
  br i1 %v363, label %b31, label %b33
b31:
  %v364 = getelementptr float, ptr %v4, i64 %v359
  %v365 = insertelement <8 x i64> undef, i64 %v362, i32 0
  %v366 = shufflevector <8 x i64> %v365, <8 x i64> undef, <8 x i32> zeroinitializer
  %v367 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v366
  %v368 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v364, i32 4, <8 x i1> %v367, <8 x float> %c2)
  %v369 = getelementptr float, ptr %v6, i64 %v359
  %v370 = insertelement <8 x i64> undef, i64 %v362, i32 0
  %v371 = shufflevector <8 x i64> %v370, <8 x i64> undef, <8 x i32> zeroinitializer
  %v372 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v371
  %v373 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v369, i32 4, <8 x i1> %v372, <8 x float> %c2)
  %v374 = fsub <8 x float> %v368, %v373
  %v375 = fmul <8 x float> %v374, %v374
  %v376 = getelementptr <8 x float>, ptr %a4, i64 6
  %v377 = load <8 x float>, ptr %v376, align 4
  %v378 = fadd <8 x float> %v377, %v375
  %v379 = getelementptr <8 x float>, ptr %a4, i64 6
  %v380 = load <8 x float>, ptr %v379, align 4
  %v381 = insertelement <8 x i64> undef, i64 %v362, i32 0
  %v382 = shufflevector <8 x i64> %v381, <8 x i64> undef, <8 x i32> zeroinitializer
  %v383 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v382
  %v384 = select <8 x i1> %v383, <8 x float> %v378, <8 x float> %v380
  %v385 = getelementptr <8 x float>, ptr %a4, i64 6
  store <8 x float> %v384, ptr %v385, align 4
  br label %b33
b33:
  %v386 = load i64, ptr %a3
  %v387 = mul i64 7, 8
  %v388 = add i64 %v386, %v387
  %v389 = sub i64 %v23, %v388
  %v390 = icmp slt i64 8, %v389
  %v391 = select i1 %v390, i64 8, i64 %v389
  %v392 = icmp slt i64 0, %v391
  br i1 %v392, label %b34, label %b36
b34:
  %v393 = getelementptr float, ptr %v4, i64 %v388
  %v394 = insertelement <8 x i64> undef, i64 %v391, i32 0
  %v395 = shufflevector <8 x i64> %v394, <8 x i64> undef, <8 x i32> zeroinitializer
  %v396 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v395
  %v397 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v393, i32 4, <8 x i1> %v396, <8 x float> %c2)
  %v398 = getelementptr float, ptr %v6, i64 %v388
  %v399 = insertelement <8 x i64> undef, i64 %v391, i32 0
  %v400 = shufflevector <8 x i64> %v399, <8 x i64> undef, <8 x i32> zeroinitializer
  %v401 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v400
  %v402 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v398, i32 4, <8 x i1> %v401, <8 x float> %c2)
  %v403 = fsub <8 x float> %v397, %v402
  %v404 = fmul <8 x float> %v403, %v403
  %v405 = getelementptr <8 x float>, ptr %a4, i64 7
  %v406 = load <8 x float>, ptr %v405, align 4
  %v407 = fadd <8 x float> %v406, %v404
  %v408 = getelementptr <8 x float>, ptr %a4, i64 7
  %v409 = load <8 x float>, ptr %v408, align 4
  %v410 = insertelement <8 x i64> undef, i64 %v391, i32 0
  %v411 = shufflevector <8 x i64> %v410, <8 x i64> undef, <8 x i32> zeroinitializer
  %v412 = icmp slt <8 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>, %v411
  %v413 = select <8 x i1> %v412, <8 x float> %v407, <8 x float> %v409
  %v414 = getelementptr <8 x float>, ptr %a4, i64 7
  store <8 x float> %v413, ptr %v414, align 4
  br label %b36
b36:
  br label %b12
b12:
  %v415 = icmp slt i64 32, %v25
  br i1 %v415, label %b37, label %b39
b37:
  %v416 = getelementptr <8 x float>, ptr %a4, i64 0
  %v417 = load <8 x float>, ptr %v416, align 4
  %v418 = add i64 0, 4
  %v419 = getelementptr <8 x float>, ptr %a4, i64 %v418
  %v420 = load <8 x float>, ptr %v419, align 4
  %v421 = fadd <8 x float> %v417, %v420
  %v422 = getelementptr <8 x float>, ptr %a4, i64 0
  store <8 x float> %v421, ptr %v422, align 4
  %v423 = getelementptr <8 x float>, ptr %a4, i64 1
  %v424 = load <8 x float>, ptr %v423, align 4
  %v425 = add i64 1, 4
  %v426 = getelementptr <8 x float>, ptr %a4, i64 %v425
  %v427 = load <8 x float>, ptr %v426, align 4
  %v428 = fadd <8 x float> %v424, %v427
  %v429 = getelementptr <8 x float>, ptr %a4, i64 1
  store <8 x float> %v428, ptr %v429, align 4
  %v430 = getelementptr <8 x float>, ptr %a4, i64 2
  %v431 = load <8 x float>, ptr %v430, align 4
  %v432 = add i64 2, 4
  %v433 = getelementptr <8 x float>, ptr %a4, i64 %v432
  %v434 = load <8 x float>, ptr %v433, align 4
  %v435 = fadd <8 x float> %v431, %v434
  %v436 = getelementptr <8 x float>, ptr %a4, i64 2
  store <8 x float> %v435, ptr %v436, align 4
  %v437 = getelementptr <8 x float>, ptr %a4, i64 3
  %v438 = load <8 x float>, ptr %v437, align 4
  %v439 = add i64 3, 4
  %v440 = getelementptr <8 x float>, ptr %a4, i64 %v439
  %v441 = load <8 x float>, ptr %v440, align 4
  %v442 = fadd <8 x float> %v438, %v441
  %v443 = getelementptr <8 x float>, ptr %a4, i64 3
  store <8 x float> %v442, ptr %v443, align 4
  br label %b39
b39:
  %v444 = icmp slt i64 16, %v25
  br i1 %v444, label %b40, label %b42
b40:
  %v445 = getelementptr <8 x float>, ptr %a4, i64 0
  %v446 = load <8 x float>, ptr %v445, align 4
  %v447 = add i64 0, 2
  %v448 = getelementptr <8 x float>, ptr %a4, i64 %v447
  %v449 = load <8 x float>, ptr %v448, align 4
  %v450 = fadd <8 x float> %v446, %v449
  %v451 = getelementptr <8 x float>, ptr %a4, i64 0
  store <8 x float> %v450, ptr %v451, align 4
  %v452 = getelementptr <8 x float>, ptr %a4, i64 1
  %v453 = load <8 x float>, ptr %v452, align 4
  %v454 = add i64 1, 2
  %v455 = getelementptr <8 x float>, ptr %a4, i64 %v454
  %v456 = load <8 x float>, ptr %v455, align 4
  %v457 = fadd <8 x float> %v453, %v456
  %v458 = getelementptr <8 x float>, ptr %a4, i64 1
  store <8 x float> %v457, ptr %v458, align 4
  br label %b42
b42:
  %v459 = icmp slt i64 8, %v25
  br i1 %v459, label %b43, label %b45
b43:
  %v460 = getelementptr <8 x float>, ptr %a4, i64 0
  %v461 = load <8 x float>, ptr %v460, align 4
  %v462 = add i64 0, 1
  %v463 = getelementptr <8 x float>, ptr %a4, i64 %v462
  %v464 = load <8 x float>, ptr %v463, align 4
  %v465 = fadd <8 x float> %v461, %v464
  %v466 = getelementptr <8 x float>, ptr %a4, i64 0
  store <8 x float> %v465, ptr %v466, align 4
  br label %b45
b45:
  %v467 = getelementptr <8 x float>, ptr %a4, i64 0
  %v468 = load <8 x float>, ptr %v467, align 4
  store <8 x float> %v468, ptr %a5, align 4
  %v469 = icmp slt i64 4, %v25
  br i1 %v469, label %b46, label %b48
b46:
  %v470 = load <8 x float>, ptr %a5, align 4
  %v471 = load <8 x float>, ptr %a5, align 4
  %v472 = shufflevector <8 x float> %v471, <8 x float> undef, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3>
  %v473 = fadd <8 x float> %v470, %v472
  store <8 x float> %v473, ptr %a5, align 4
  br label %b48
b48:
  %v474 = icmp slt i64 2, %v25
  br i1 %v474, label %b49, label %b51
b49:
  %v475 = load <8 x float>, ptr %a5, align 4
  %v476 = load <8 x float>, ptr %a5, align 4
  %v477 = shufflevector <8 x float> %v476, <8 x float> undef, <8 x i32> <i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 0, i32 1>
  %v478 = fadd <8 x float> %v475, %v477
  store <8 x float> %v478, ptr %a5, align 4
  br label %b51
b51:
  %v479 = icmp slt i64 1, %v25
  br i1 %v479, label %b52, label %b54
b52:
  %v480 = load <8 x float>, ptr %a5, align 4
  %v481 = load <8 x float>, ptr %a5, align 4
  %v482 = shufflevector <8 x float> %v481, <8 x float> undef, <8 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 0>
  %v483 = fadd <8 x float> %v480, %v482
  store <8 x float> %v483, ptr %a5, align 4
  br label %b54
b54:
  %v484 = mul i64 %v15, 1
  %v485 = add i64 %v484, %v13
  %v486 = getelementptr i64, ptr %p5, i64 %v485
  %v487 = load <8 x float>, ptr %a5, align 4
  %v488 = extractelement <8 x float> %v487, i32 0
  store float %v488, ptr %v486, align 4
  %v489 = add i64 %v15, 1
  store i64 %v489, ptr %a2
  br label %b4
b6:
  %v490 = add i64 %v13, 1
  store i64 %v490, ptr %a1
  br label %b1
b3:
  ret void
}
