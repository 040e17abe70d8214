//! The marks that series are told apart by: a colour and a shape.

use super::plot;

/// Colours of the style sheet, `--c0` to `--c7`.
pub(super) const COLOURS: usize = 8;
const SHAPES: usize = 8;
/// Series that differ in colour or shape.
#[cfg(test)]
pub(super) const MARKS: usize = COLOURS * SHAPES;

/// The mark of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// Index of the colour.
    pub colour: usize,
    /// Index of the shape.
    shape: usize,
}

impl Mark {
    /// The mark of the series with this index. Neighbours differ in both colour and shape.
    pub(super) fn from_index(index: usize) -> Self {
        Self { colour: index % COLOURS, shape: (index + index / COLOURS) % SHAPES }
    }

    /// The outline around the origin, about twice `radius` across.
    pub(super) fn outline(self, radius: i32) -> Vec<(i32, i32)> {
        let r = f64::from(radius);
        let regular = |corners: u32, turn: f64, r: f64| {
            let corner = move |i: u32| point(r, turn + f64::from(i) / f64::from(corners));
            (0..corners).map(corner).collect::<Vec<_>>()
        };
        match self.shape {
            0 => regular(24, 0.0, r),
            1 => regular(4, 0.125, r * 1.25),
            2 => regular(3, 0.75, r * 1.3),
            3 => regular(4, 0.0, r * 1.3),
            4 => regular(3, 0.25, r * 1.3),
            5 => cross(r, 0.0),
            6 => cross(r, 0.125),
            _ => star(r * 1.4),
        }
    }

    /// The mark alone, for a legend.
    pub(super) fn key(self) -> String {
        plot::key(self)
    }
}

/// A point at `turn` of the circle of radius `r`, from the right, downwards.
fn point(r: f64, turn: f64) -> (i32, i32) {
    let angle = turn * std::f64::consts::TAU;
    ((r * angle.cos()).round() as i32, (r * angle.sin()).round() as i32)
}

/// A plus, turned.
fn cross(r: f64, turn: f64) -> Vec<(i32, i32)> {
    let (long, half) = (1.25 * r, 0.4 * r);
    let arm = move |i: u32| {
        let corner = move |along: f64, aside: f64| {
            point(along.hypot(aside), turn + f64::from(i) / 4.0 + aside.atan2(along) / std::f64::consts::TAU)
        };
        [corner(long, -half), corner(long, half), corner(half, half)]
    };
    (0..4).flat_map(arm).collect()
}

/// A star of five points.
fn star(r: f64) -> Vec<(i32, i32)> {
    (0..10).map(|i| point(if i % 2 == 0 { r } else { 0.45 * r }, -0.25 + f64::from(i) / 10.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_series_have_one_mark() {
        let marks: Vec<Mark> = (0..MARKS).map(Mark::from_index).collect();
        for (i, one) in marks.iter().enumerate() {
            for other in &marks[..i] {
                assert!(
                    one.colour != other.colour || one.outline(12) != other.outline(12),
                    "{one:?} {other:?}"
                );
            }
        }
        let pairs = marks.windows(2);
        assert!(
            pairs.into_iter().all(|pair| pair[0].colour != pair[1].colour && pair[0].shape != pair[1].shape)
        );
    }
}
