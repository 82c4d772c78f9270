set -u
cd "$(dirname "$0")/.."
b=$PWD/build/gpu; mkdir -p $b
nvidia-smi --query-gpu=name --format=csv,noheader
s=$SECONDS
cmake -S . -B $b -G Ninja -DCMAKE_BUILD_TYPE=Release >$OUT/configure.log 2>&1 || tail -20 $OUT/configure.log
timeout 270 cmake --build $b -- -k 0 >$OUT/build.log 2>&1; echo "build rc $? $((SECONDS-s)) s"
grep -E "error:|FAILED:" $OUT/build.log | cut -c1-220 | head -40
export FRIT_CACHE_DIR=$b/kernel_cache
run() { # name env... program args
  local name=$1; shift
  ( t=$SECONDS; timeout ${LIM:-280} env "$@" >$b/$name.log 2>&1; rc=$?; echo "$name rc $rc $((SECONDS-t)) s: $(grep -E '\[  (PASSED|FAILED) ' $b/$name.log | head -12 | tr '\n' ' ')" ) &
}
T=$b/tests
run golden FRIT_DEVICE=cpu $T/frit_test_golden --gtest_brief=1
for k in 0 1 2; do run unit_cpu$k FRIT_DEVICE=cpu FRIT_NUM_THREADS=2 GTEST_TOTAL_SHARDS=3 GTEST_SHARD_INDEX=$k $T/frit_test_unit --gtest_brief=1; done
for k in 0 1 2 3; do run diff_cpu$k FRIT_DEVICE=cpu FRIT_NUM_THREADS=2 GTEST_TOTAL_SHARDS=4 GTEST_SHARD_INDEX=$k $T/frit_test_differential --gtest_brief=1; done
run stress FRIT_DEVICE=cpu FRIT_NUM_THREADS=2 $T/frit_test_stress --gtest_brief=1
run allocation FRIT_DEVICE=cpu FRIT_NUM_THREADS=2 $T/frit_test_allocation --gtest_brief=1
for k in 0 1; do run unit_gpu$k FRIT_DEVICE=cuda GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=$k $T/frit_test_unit --gtest_brief=1; done
for k in 0 1 2; do run diff_gpu$k FRIT_DEVICE=cuda GTEST_TOTAL_SHARDS=3 GTEST_SHARD_INDEX=$k $T/frit_test_differential --gtest_brief=1 --gtest_filter='Updates*:BorrowedLayouts*:Variance*:IntegerProducts*:Statistics*:RandomGraphs.Interp*:Library*:Patches*:Transposes*'; done
wait
mkdir -p $OUT/logs; for f in $b/*.log; do [ $(stat -c %s $f) -lt 400000 ] && cp $f $OUT/logs/ || tail -c 200000 $f > $OUT/logs/$(basename $f); done; cd $OUT && tar czf logs.tgz logs && rm -rf logs
