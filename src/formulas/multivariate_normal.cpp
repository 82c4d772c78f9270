// Normal vectors of a given covariance: standard normal numbers times the transpose of its Cholesky factor. Apart from the
// other draws (random.cpp), which are computed element by element and need no linear algebra.
#include <string>

#include "frit/random.hpp"
#include "src/base/errors.hpp"
#include "src/formulas/matrices.hpp"

namespace frit::inline v0::detail {
namespace {

constexpr std::string_view who = "multivariate_normal";

void check(const user_ref& mean, const user_ref& cov, source_line where) {
    for (const user_ref& x : {mean, cov}) check_real(who, x->meant, where);
    const shape both[] = {*mean->extents, *cov->extents};
    if (both[0].rank() != 1 || both[1].rank() != 2 || both[1][0] != both[0][0] || both[1][1] != both[0][0])
        throw_shape_error(who, "takes a mean (n,) and a covariance (n, n)", both, where);
}

}  // namespace

user_ref multivariate_normal_of(random_stream s, const user_ref& mean, const user_ref& cov, const shape& extents,
                                source_line where) try {
    check(mean, cov, where);
    const dtype type = promote(statistic_dtype(mean->meant), statistic_dtype(cov->meant)), computed = register_dtype(type);
    const std::int64_t n = (*mean->extents)[0];
    const value factor(cholesky_of(in_dtype(value(cov), computed, where).node(), linalg::lower, where));
    const value z(normal_of(s, computed, shape({extents.size(), n}, where), 0, 1, where));
    const value vectors = recorded(matmul(z, adjoint(factor, where)), where);
    shape to = extents;
    to.push_back(n, where);
    const auto moved = recorded(vectors + in_dtype(value(mean), computed, where), where);
    return result(make_view(moved, reshape_attribute(moved.shape(where), int_list(to), where)), type, where);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("multivariate_normal", where);
}

}  // namespace frit::v0::detail
