// The picture that shows what the denoising did.
#pragma once

#include "pictures.hpp"

/// A detail of both pictures side by side, magnified and stretched alike (asinh, as astronomers do it), so that the noise
/// of a dark sky can be seen. The detail starts at (x, y), moved inside the picture where it would leave it.
rgb8 before_after(const rgb8& before, const rgb8& after, int x, int y);
