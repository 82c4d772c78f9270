// How long a function of text takes that nobody has called before: from the text to values, by the interpreter. Each
// function is another one: its operators are the digits of a number, so neither programs, plans nor kernels are known.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <frit/frit.hpp>

namespace {

constexpr int functions = 201;

/// Its k-th digit says which operator.
std::string chosen(int number, int k) {
    for (; k > 0; --k) number /= 4;
    constexpr const char* operators[] = {" + ", " - ", " * ", " / "};
    return operators[number % 4];
}

std::string straight(int n) {
    return "float a = x0" + chosen(n, 0) + "x1, b = a" + chosen(n, 1) + "x0; return expf(a" + chosen(n, 2) + "b)" +
           chosen(n, 3) + "x1;";
}
std::string branches(int n) {
    return "float a = fabsf(x0); if (a < x1) return a" + chosen(n, 0) + "x1; if (x1 < 0) a = a" + chosen(n, 1) +
           "x0; else a = sqrtf(a" + chosen(n, 2) + "1.5f); return a" + chosen(n, 3) + "x1;";
}
std::string loops(int n) {
    return "int k = 0; while (x0 < 100 && k < 20) { x0 = x0" + chosen(n, 0) + "x0" + chosen(n, 1) + "x1; ++k; if (x0" +
           chosen(n, 2) + "x1 < -1) break; } return x0" + chosen(n, 3) + "k;";
}

double microseconds_of(const std::string& text, const frit::array<float>& x, const frit::array<float>& y) {
    const auto begin = std::chrono::steady_clock::now();
    const frit::function<float(float, float)> f("fresh", text);
    (void)frit::array<float>(f(x, y)).eval();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main() {
    setenv("FRIT_CPU_ENGINE", "interpreter", 1);
    const frit::array<float> x = frit::linspace<float>(-3, 3, 16).eval(), y = frit::linspace<float>(0.5F, 2, 16).eval();
    const struct {
        const char* name;
        std::string (*text)(int);
    } kinds[] = {{"straight", straight}, {"branches", branches}, {"a loop", loops}};
    std::printf("a function's first call on 16 floats, us: first, median and ninth decile of %d\n", functions);
    for (const auto& kind : kinds) {
        std::vector<double> times;
        for (int n = 0; n < functions; ++n) times.push_back(microseconds_of(kind.text(n), x, y));
        const double first = times[0];
        std::sort(times.begin(), times.end());
        std::printf("%-9s %7.1f %7.1f %7.1f\n", kind.name, first, times[functions / 2], times[functions * 9 / 10]);
    }
}
