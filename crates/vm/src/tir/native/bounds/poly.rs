//! Polynomials over symbols with 128-bit coefficients. Operations return `None` if the result would overflow or get
//! long.

use std::collections::BTreeMap;

/// The maximum number of terms, and of factors in a term.
const LONG: usize = 64;
const DEEP: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// A sum of products. Maps the sorted symbols of each product to its coefficient, which is not 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Poly(BTreeMap<Vec<Symbol>, i128>);

impl Poly {
    pub fn int(value: i128) -> Poly {
        let mut made = Poly::default();
        if value != 0 {
            made.0.insert(Vec::new(), value);
        }
        made
    }

    pub fn symbol(symbol: Symbol) -> Poly {
        Poly(BTreeMap::from_iter([(vec![symbol], 1)]))
    }

    pub fn as_int(&self) -> Option<i64> {
        match self.0.first_key_value() {
            None => Some(0),
            Some((symbols, &value)) if symbols.is_empty() && self.0.len() == 1 => {
                i64::try_from(value).ok()
            }
            Some(_) => None,
        }
    }

    pub fn add(&self, other: &Poly) -> Option<Poly> {
        let mut made = self.clone();
        for (symbols, &times) in &other.0 {
            made.take(symbols.clone(), times)?;
        }
        Some(made)
    }

    pub fn sub(&self, other: &Poly) -> Option<Poly> {
        let mut made = self.clone();
        for (symbols, &times) in &other.0 {
            made.take(symbols.clone(), times.checked_neg()?)?;
        }
        Some(made)
    }

    pub fn mul(&self, other: &Poly) -> Option<Poly> {
        let mut made = Poly::default();
        for (a, &times) in &self.0 {
            for (b, &by) in &other.0 {
                let mut symbols = [a.as_slice(), b].concat();
                symbols.sort_unstable();
                made.take(symbols, times.checked_mul(by)?)?;
            }
        }
        Some(made)
    }

    /// Adds a term.
    fn take(&mut self, symbols: Vec<Symbol>, times: i128) -> Option<()> {
        if symbols.len() > DEEP {
            return None;
        }
        let sum = match self.0.get(&symbols) {
            Some(before) => before.checked_add(times)?,
            None => times,
        };
        if sum == 0 {
            self.0.remove(&symbols);
        } else {
            self.0.insert(symbols, sum);
        }
        (self.0.len() <= LONG).then_some(())
    }

    pub fn symbols(&self) -> impl Iterator<Item = Symbol> {
        self.0.keys().flatten().copied()
    }

    /// Splits the polynomial into `slope * symbol + rest`, if the symbol is at most linear in each term.
    pub fn linear_in(&self, symbol: Symbol) -> Option<(Poly, Poly)> {
        let (mut slope, mut rest) = (Poly::default(), Poly::default());
        for (symbols, &times) in &self.0 {
            let others: Vec<Symbol> = symbols.iter().copied().filter(|it| *it != symbol).collect();
            match symbols.len() - others.len() {
                0 => rest.take(others, times)?,
                1 => slope.take(others, times)?,
                _ => return None,
            }
        }
        Some((slope, rest))
    }

    /// Returns the minimum and the maximum for the given bounds of symbols. A bound that overflows is dropped.
    pub fn interval(&self, of: &dyn Fn(Symbol) -> (i128, i128)) -> (i128, i128) {
        let mut sum = (0i128, 0i128);
        for (symbols, &times) in &self.0 {
            let mut term = Some((times, times));
            for &symbol in symbols {
                term = term.and_then(|term| product(term, of(symbol)));
            }
            let added = term.and_then(|(least, most)| {
                Some((sum.0.checked_add(least)?, sum.1.checked_add(most)?))
            });
            match added {
                Some(added) => sum = added,
                None => return (i128::MIN, i128::MAX),
            }
        }
        sum
    }
}

/// Returns the bounds of a product.
fn product((a, b): (i128, i128), (c, d): (i128, i128)) -> Option<(i128, i128)> {
    let ends = [
        a.checked_mul(c)?,
        a.checked_mul(d)?,
        b.checked_mul(c)?,
        b.checked_mul(d)?,
    ];
    Some((*ends.iter().min()?, *ends.iter().max()?))
}
