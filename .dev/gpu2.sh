set -u
cd "$(dirname "$0")/.."
b=$PWD/build/gpu; mkdir -p $b
s=$SECONDS
cmake -S . -B $b -G Ninja -DCMAKE_BUILD_TYPE=Release >$OUT/configure.log 2>&1 || tail -20 $OUT/configure.log
timeout 270 cmake --build $b -- -k 0 >$OUT/build.log 2>&1; echo "build rc $? $((SECONDS-s)) s"
grep -E "error:|FAILED:" $OUT/build.log | cut -c1-220 | head -40
export FRIT_CACHE_DIR=$b/kernel_cache
run() {
  local name=$1; shift
  ( t=$SECONDS; timeout ${LIM:-220} env "$@" >$b/$name.log 2>&1; rc=$?; echo "$name rc $rc $((SECONDS-t)) s: $(grep -E '\[  (PASSED|FAILED) ' $b/$name.log | head -8 | tr '\n' ' ')" ) &
}
T=$b/tests
run fault1 FRIT_DEVICE=cuda FRIT_SYNC=1 FRIT_LOG=launch $T/frit_test_differential --gtest_brief=1 --gtest_filter='BorrowedLayouts.OneByOne*'
run fault2 FRIT_DEVICE=cuda compute-sanitizer --tool memcheck $T/frit_test_differential --gtest_brief=1 --gtest_filter='BorrowedLayouts.OneByOne*'
run fault3 FRIT_DEVICE=cuda FRIT_SYNC=1 FRIT_LOG=launch $T/frit_test_differential --gtest_brief=1 --gtest_filter='BorrowedLayouts.TogetherOn*'
run allocation FRIT_DEVICE=cpu FRIT_NUM_THREADS=2 $T/frit_test_allocation --gtest_brief=1
for k in 0 1 2 3; do run diff_gpu$k FRIT_DEVICE=cuda GTEST_TOTAL_SHARDS=4 GTEST_SHARD_INDEX=$k $T/frit_test_differential --gtest_brief=1 --gtest_filter='-BorrowedLayouts*:Ops/*'; done
for k in 0 1 2; do run ops_gpu$k FRIT_DEVICE=cuda GTEST_TOTAL_SHARDS=3 GTEST_SHARD_INDEX=$k $T/frit_test_differential --gtest_brief=1 --gtest_filter='Ops/*'; done
run cuda $T/cuda/frit_test_cuda --gtest_brief=1
wait
tail -5 $b/fault1.log | cut -c1-600; grep -m3 -A12 "Invalid\|Error" $b/fault2.log | cut -c1-300
mkdir -p $OUT/logs; for f in $b/*.log; do tail -c 300000 $f > $OUT/logs/$(basename $f); done; cd $OUT && tar czf logs.tgz logs && rm -rf logs
