//! Tests of positions in all three encodings, with every kind of line break and wide characters.

use super::*;

fn lines(text: &str, encoding: Encoding) -> Lines {
    Lines::new(text.into(), encoding)
}

fn applied(before: &Lines, changes: Vec<(Option<Range>, String)>) -> Lines {
    let mut lines = before.clone();
    lines.apply(changes);
    lines
}

fn at(line: u32, character: u32) -> Position {
    Position::new(line, character)
}

/// The ends of the three kinds of characters in `é𝛼x`, for each encoding.
const WIDE: &str = "a\né𝛼x\n";

#[test]
fn the_first_known_encoding_of_the_client_is_taken() {
    let offered = [
        PositionEncodingKind::new("utf-7"),
        PositionEncodingKind::UTF32,
        PositionEncodingKind::UTF8,
    ];
    assert_eq!(Encoding::negotiate(Some(&offered)), Encoding::Utf32);
    assert_eq!(Encoding::negotiate(Some(&[])), Encoding::Utf16);
    assert_eq!(Encoding::negotiate(None), Encoding::Utf16);
}

#[test]
fn each_encoding_counts_its_own_units() {
    for (encoding, x) in [
        (Encoding::Utf8, 6),
        (Encoding::Utf16, 3),
        (Encoding::Utf32, 2),
    ] {
        let lines = lines(WIDE, encoding);
        let offset = TextSize::new(WIDE.find('x').unwrap() as u32);
        assert_eq!(lines.position(offset), at(1, x), "{encoding:?}");
        assert_eq!(lines.offset(at(1, x)), offset, "{encoding:?}");
    }
}

#[test]
fn a_position_inside_a_character_is_the_place_before_it() {
    let alpha = TextSize::new(WIDE.find('𝛼').unwrap() as u32);
    assert_eq!(lines(WIDE, Encoding::Utf16).offset(at(1, 2)), alpha);
    assert_eq!(lines(WIDE, Encoding::Utf8).offset(at(1, 4)), alpha);
}

#[test]
fn a_column_past_the_line_is_its_end() {
    let lines = lines("ab\r\ncd", Encoding::Utf16);
    assert_eq!(lines.offset(at(0, 99)), TextSize::new(2));
    assert_eq!(lines.offset(at(1, u32::MAX)), TextSize::new(6));
}

#[test]
fn a_line_past_the_text_is_its_end() {
    assert_eq!(
        lines("ab\n", Encoding::Utf8).offset(at(7, 0)),
        TextSize::new(3)
    );
}

#[test]
fn a_carriage_return_alone_ends_a_line() {
    let lines = lines("ab\rcd\r\n\ref", Encoding::Utf16);
    assert_eq!(lines.position(TextSize::new(4)), at(1, 1));
    assert_eq!(lines.offset(at(0, 99)), TextSize::new(2));
    assert_eq!(lines.offset(at(2, 9)), TextSize::new(7));
    assert_eq!(lines.offset(at(3, 1)), TextSize::new(9));
    assert_eq!(
        LineColumns::new("ab\rcd").line_col(TextSize::new(4)),
        (2, 2)
    );
}

#[test]
fn an_inverted_range_is_empty() {
    let lines = lines("abcdef", Encoding::Utf8);
    let range = lines.range(Range::new(at(0, 4), at(0, 2)));
    assert_eq!(range, TextRange::empty(TextSize::new(4)));
}

#[test]
fn changes_apply_one_after_another() {
    let before = lines("one\ntwo\nthree\n", Encoding::Utf16);
    let edit = |line, from, to, new: &str| {
        (
            Some(Range::new(at(line, from), at(line, to))),
            new.to_owned(),
        )
    };
    // Apply changes upwards, then downwards over new lines.
    let after = applied(
        &before,
        vec![
            edit(2, 0, 5, "3"),
            edit(0, 0, 3, "1\n1"),
            edit(2, 0, 3, "é"),
            edit(2, 1, 1, "!"),
        ],
    );
    assert_eq!(&**after.text(), "1\n1\né!\n3\n");
    assert_eq!(after.position(TextSize::new(7)), at(2, 2));
}

#[test]
fn a_whole_text_replaces_what_came_before() {
    let before = lines("old", Encoding::Utf16);
    let after = applied(
        &before,
        vec![
            (Some(Range::new(at(0, 0), at(0, 1))), "x".into()),
            (None, "new\ntext".into()),
            (Some(Range::new(at(1, 4), at(1, 4))), "!".into()),
        ],
    );
    assert_eq!(&**after.text(), "new\ntext!");
}

/// Returns `true` if no position maps to this offset.
fn is_inside_of_line_end(text: &str, at: usize) -> bool {
    text[..at].ends_with('\r') && text[at..].starts_with('\n')
}

#[test]
fn edits_in_any_order_equal_edits_by_characters() {
    // Generates random edits, so that indices updated by edits are tested on many texts.
    let mut random = vm::random::Random::new(7);
    let mut next = move |below: u64| random.next_u64() % below;
    for _ in 0..300 {
        let mut expected = String::from("ab\nç\n𝛼𝛼\n\nxyz");
        let mut changes = Vec::new();
        let before = lines(&expected, Encoding::Utf16);
        for _ in 0..next(5) {
            let boundaries: Vec<usize> = (0..=expected.len())
                .filter(|&i| expected.is_char_boundary(i) && !is_inside_of_line_end(&expected, i))
                .collect();
            let mut pick = || boundaries[next(boundaries.len() as u64) as usize];
            let (a, b) = (pick(), pick());
            let (start, end) = (a.min(b), a.max(b));
            let new = ["", "q", "\n", "\r", "é\nz"][next(5) as usize];
            let here = lines(&expected, Encoding::Utf16);
            let range = TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32));
            changes.push((Some(here.to_range(range)), new.to_owned()));
            expected.replace_range(start..end, new);
        }
        let after = applied(&before, changes);
        assert_eq!(**after.text(), *expected);
        let fresh = lines(&expected, Encoding::Utf16);
        for at in (0..=expected.len()).filter(|&at| expected.is_char_boundary(at)) {
            let at = TextSize::new(at as u32);
            assert_eq!(after.position(at), fresh.position(at));
        }
    }
}

#[test]
fn people_count_from_one_in_characters() {
    let columns = LineColumns::new(WIDE);
    assert_eq!(columns.line_col(TextSize::new(0)), (1, 1));
    assert_eq!(
        columns.line_col(TextSize::new(WIDE.find('x').unwrap() as u32)),
        (2, 3)
    );
}
