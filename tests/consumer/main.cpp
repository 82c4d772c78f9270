// The smallest useful program: exits with 0 if the library it was linked with computes.
#include <frit/frit.hpp>

int main() {
    frit::array<float> x{1, 2, 3};
    return frit::sum(x * 2 + 1).item() == 15 ? 0 : 1;
}
