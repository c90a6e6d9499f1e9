//! Places the boxes of a picture in layers from top to bottom, each below its inputs. Knows no graph.

pub struct Item {
    pub title: String,
    pub detail: String,
    /// The tooltip.
    pub tip: String,
    pub class: &'static str,
}

pub struct Rectangle {
    pub x: i64,
    pub y: i64,
    pub width: i64,
    pub height: i64,
}

pub struct Picture {
    pub width: i64,
    pub height: i64,
    pub boxes: Vec<(Item, Rectangle)>,
    pub lines: Vec<((i64, i64), (i64, i64))>,
}

/// Sizes in pixels.
const HEIGHT: i64 = 38;
const BETWEEN_LAYERS: i64 = 26;
const BETWEEN: i64 = 18;
const LETTER: i64 = 8;

/// The number of passes that improve the order within layers.
const SWEEPS: usize = 4;

/// Places the items. An edge should lead to a later item; others are drawn too.
pub fn place(items: Vec<Item>, edges: &[(usize, usize)]) -> Picture {
    let layers = layers(items.len(), edges);
    let rows = ordered(&layers, edges);
    let width = |at: usize| {
        let letters = items[at]
            .title
            .chars()
            .count()
            .max(items[at].detail.chars().count());
        letters as i64 * LETTER + 20
    };
    let row_width = |row: &[usize]| row.iter().map(|it| width(*it) + BETWEEN).sum::<i64>();
    let all = rows.iter().map(|row| row_width(row)).max().unwrap_or(0);
    let mut rectangles: Vec<Option<Rectangle>> = items.iter().map(|_| None).collect();
    let mut y = BETWEEN;
    for row in &rows {
        let mut x = (all - row_width(row)) / 2 + BETWEEN / 2;
        for &at in row {
            let width = width(at);
            rectangles[at] = Some(Rectangle {
                x,
                y,
                width,
                height: HEIGHT,
            });
            x += width + BETWEEN;
        }
        y += HEIGHT + BETWEEN_LAYERS;
    }
    let end = |at: usize, is_bottom: bool| {
        let it = rectangles[at].as_ref()?;
        Some((
            it.x + it.width / 2,
            it.y + if is_bottom { it.height } else { 0 },
        ))
    };
    let lines = edges.iter().filter_map(|&(from, to)| {
        let is_down = layers[from] < layers[to];
        Some((end(from, is_down)?, end(to, !is_down)?))
    });
    let lines = lines.collect();
    let boxes = items.into_iter().zip(rectangles);
    Picture {
        width: all.max(1),
        height: y,
        boxes: boxes.filter_map(|(item, it)| Some((item, it?))).collect(),
        lines,
    }
}

/// Returns the layer of each item: below all its inputs. An item without inputs is just above its first reader.
fn layers(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut has_input = vec![false; count];
    for &(_, to) in edges {
        has_input[to] = true;
    }
    let is_known = |&(from, to): &(usize, usize)| has_input[from] && from < to;
    let mut layers: Vec<usize> = has_input.iter().map(|it| usize::from(*it)).collect();
    // Edges are sorted by their starts, so the layer of the start is already known.
    for &(from, to) in edges.iter().filter(|it| is_known(it)) {
        layers[to] = layers[to].max(layers[from] + 1);
    }
    for at in (0..count).filter(|it| !has_input[*it]) {
        let readers = edges.iter().filter(|(from, _)| *from == at);
        let first = readers.map(|(_, to)| layers[*to]).min();
        layers[at] = first.map_or(0, |it| it.saturating_sub(1));
    }
    layers
}

/// Returns the items of each layer, each placed near its neighbours in other layers.
fn ordered(layers: &[usize], edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let count = layers.iter().max().map_or(0, |it| it + 1);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (at, layer) in layers.iter().enumerate() {
        rows[*layer].push(at);
    }
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); layers.len()];
    for &(from, to) in edges {
        near[from].push(to);
        near[to].push(from);
    }
    let mut places: Vec<f64> = vec![0.0; layers.len()];
    let spread = |row: &[usize], places: &mut Vec<f64>| {
        for (at, item) in row.iter().enumerate() {
            places[*item] = (at as f64 + 0.5) / row.len() as f64;
        }
    };
    for row in &rows {
        spread(row, &mut places);
    }
    for _ in 0..SWEEPS {
        for row in &mut rows {
            let middle = |item: usize| {
                let near = &near[item];
                let sum: f64 = near.iter().map(|it| places[*it]).sum();
                if near.is_empty() {
                    places[item]
                } else {
                    sum / near.len() as f64
                }
            };
            let mut keyed: Vec<(f64, usize)> = row.iter().map(|it| (middle(*it), *it)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            *row = keyed.into_iter().map(|it| it.1).collect();
            spread(row, &mut places);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::{Item, Picture, place};

    fn picture(count: usize, edges: &[(usize, usize)]) -> Picture {
        let item = |at: usize| Item {
            title: format!("item {at}"),
            detail: String::new(),
            tip: String::new(),
            class: "node",
        };
        place((0..count).map(item).collect(), edges)
    }

    #[test]
    fn users_of_a_value_are_drawn_below_it() {
        let edges = [(0, 1), (0, 2), (1, 3), (2, 3)];
        let picture = picture(4, &edges);
        for (from, to) in edges {
            let (from, to) = (&picture.boxes[from].1, &picture.boxes[to].1);
            assert!(from.y + from.height < to.y);
        }
    }

    #[test]
    fn boxes_do_not_overlap_and_stand_in_the_picture() {
        let picture = picture(5, &[(0, 4), (1, 4), (2, 4), (3, 4)]);
        for (at, (_, a)) in picture.boxes.iter().enumerate() {
            assert!(a.x >= 0 && a.x + a.width <= picture.width && a.y + a.height <= picture.height);
            for (_, b) in &picture.boxes[..at] {
                assert!(a.y != b.y || a.x + a.width <= b.x || b.x + b.width <= a.x);
            }
        }
    }

    #[test]
    fn a_cycle_between_boxes_can_be_drawn() {
        assert_eq!(picture(3, &[(0, 1), (1, 0), (1, 2)]).lines.len(), 3);
    }
}
