//! Element types: parses and formats TVM's dtype strings.

use std::fmt;

/// The kind of a number, without its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    Bool,
    Int,
    UInt,
    Float,
    BFloat,
    /// The eight-bit and smaller floats by name: `float8_e4m3fn`, `float4_e2m1fn`, ...
    Tiny(Tiny),
    Handle,
    /// The dtype of no value, which TVM 0.26 distinguishes from an unknown dtype.
    Void,
    /// A dtype that only Python knows.
    Python,
}

/// Floats of eight bits or fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tiny {
    E3m4,
    E4m3,
    E4m3b11fnuz,
    E4m3fn,
    E4m3fnuz,
    E5m2,
    E5m2fnuz,
    E8m0fnu,
    E2m3fn,
    E3m2fn,
    E2m1fn,
}

/// In the order of DLPack's codes, from `TINY_CODE` on.
const TINY: &[(Tiny, &str, u8)] = &[
    (Tiny::E3m4, "float8_e3m4", 8),
    (Tiny::E4m3, "float8_e4m3", 8),
    (Tiny::E4m3b11fnuz, "float8_e4m3b11fnuz", 8),
    (Tiny::E4m3fn, "float8_e4m3fn", 8),
    (Tiny::E4m3fnuz, "float8_e4m3fnuz", 8),
    (Tiny::E5m2, "float8_e5m2", 8),
    (Tiny::E5m2fnuz, "float8_e5m2fnuz", 8),
    (Tiny::E8m0fnu, "float8_e8m0fnu", 8),
    (Tiny::E2m3fn, "float6_e2m3fn", 6),
    (Tiny::E3m2fn, "float6_e3m2fn", 6),
    (Tiny::E2m1fn, "float4_e2m1fn", 4),
];

const TINY_CODE: u8 = 7;

/// The names of dtypes, the most used first.
pub const NAMES: &[&str] = &[
    "float32",
    "float16",
    "int64",
    "int32",
    "bool",
    "uint8",
    "int8",
    "bfloat16",
    "float64",
    "int16",
    "uint16",
    "uint32",
    "uint64",
    "float8_e4m3fn",
    "float8_e5m2",
    "float4_e2m1fn",
];

/// The mistake in `"handle"` as the dtype of elements, since TVM 0.26.
pub const NO_POINTERS: &str =
    "since TVM 0.26, `handle` is not a dtype of tensors and buffers: they hold numbers";

/// A dtype, such as TVM's `"float32"`, `"bool"` or `"int8x4"`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DType {
    pub code: Code,
    pub bits: u8,
    pub lanes: u16,
}

/// Abbreviated names of constructors.
const SHORT: &[(&str, &str)] = &[
    ("boolean", "bool"),
    ("bf16", "bfloat16"),
    ("f16", "float16"),
    ("f32", "float32"),
    ("f64", "float64"),
    ("i8", "int8"),
    ("i16", "int16"),
    ("i32", "int32"),
    ("i64", "int64"),
    ("u8", "uint8"),
    ("u16", "uint16"),
    ("u32", "uint32"),
    ("u64", "uint64"),
];

impl DType {
    pub const BOOL: DType = DType::new(Code::Bool, 1);
    pub const I8: DType = DType::new(Code::Int, 8);
    pub const I16: DType = DType::new(Code::Int, 16);
    pub const I32: DType = DType::new(Code::Int, 32);
    pub const I64: DType = DType::new(Code::Int, 64);
    pub const U8: DType = DType::new(Code::UInt, 8);
    pub const U16: DType = DType::new(Code::UInt, 16);
    pub const U32: DType = DType::new(Code::UInt, 32);
    pub const U64: DType = DType::new(Code::UInt, 64);
    pub const F16: DType = DType::new(Code::Float, 16);
    pub const BF16: DType = DType::new(Code::BFloat, 16);
    pub const F32: DType = DType::new(Code::Float, 32);
    pub const F64: DType = DType::new(Code::Float, 64);
    pub const HANDLE: DType = DType::new(Code::Handle, 64);
    pub const VOID: DType = DType::new(Code::Void, 0);
    /// A dtype that only Python knows, such as a parameter of the enclosing function. It may equal any dtype.
    pub const PYTHON: DType = DType::new(Code::Python, 0);

    /// Common names, for suggestions.
    pub const COMMON: &[&str] = &[
        "float32",
        "float16",
        "bfloat16",
        "float64",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "bool",
        "float8_e4m3fn",
        "float8_e5m2",
        "handle",
    ];

    pub const fn new(code: Code, bits: u8) -> DType {
        DType {
            code,
            bits,
            lanes: 1,
        }
    }

    /// Parses a TVM dtype string. `""` and `"void"` are not dtypes: the caller treats them as unknown.
    pub fn parse(text: &str) -> Option<DType> {
        let (base, lanes) = match text.rsplit_once('x') {
            Some((base, lanes)) if lanes.bytes().all(|b| b.is_ascii_digit()) => {
                (base, lanes.parse::<u16>().ok().filter(|&l| l > 0)?)
            }
            _ => (text, 1),
        };
        let scalar = Self::parse_scalar(base)?;
        Some(DType { lanes, ..scalar })
    }

    /// Returns the dtype of a constructor directly under `T`, such as `float32` or one of TVM's abbreviations.
    pub fn of_constructor(name: &str) -> Option<DType> {
        let short = SHORT.iter().find(|(short, _)| *short == name);
        DType::parse(short.map_or(name, |(_, name)| name))
    }

    /// Returns the dtype for DLPack's code of a kind, and the width.
    pub fn of_dlpack(code: u8, bits: u8, lanes: u16) -> Option<DType> {
        let code = match (code, bits) {
            (1, 1) | (6, _) => return Some(DType::BOOL),
            (0, _) => Code::Int,
            (1, _) => Code::UInt,
            (2, _) => Code::Float,
            (4, _) => Code::BFloat,
            _ => {
                let row = TINY.get(usize::from(code.checked_sub(TINY_CODE)?))?;
                return (lanes == 1).then(|| DType::new(Code::Tiny(row.0), row.2));
            }
        };
        Some(DType {
            lanes,
            ..DType::new(code, bits)
        })
    }

    fn parse_scalar(text: &str) -> Option<DType> {
        match text {
            "bool" => return Some(DType::BOOL),
            "handle" => return Some(DType::HANDLE),
            "int" => return Some(DType::I32),
            "uint" => return Some(DType::U32),
            "float" => return Some(DType::F32),
            _ => {}
        }
        // TVM 0.19 has other names for two of them.
        let text = match text {
            "e4m3_float8" => "float8_e4m3fn",
            "e5m2_float8" => "float8_e5m2",
            other => other,
        };
        if let Some(&(tiny, _, bits)) = TINY.iter().find(|(_, name, _)| *name == text) {
            return Some(DType::new(Code::Tiny(tiny), bits));
        }
        let split = text.find(|c: char| c.is_ascii_digit())?;
        let (name, bits) = text.split_at(split);
        let bits = bits.parse::<u8>().ok()?;
        let (code, usual) = match name {
            "int" => (Code::Int, 32),
            "uint" => (Code::UInt, 32),
            "float" => (Code::Float, 32),
            "bfloat" => (Code::BFloat, 16),
            "bool" if bits == 8 => return Some(DType::BOOL),
            _ => return None,
        };
        // `int0` means `int`.
        Some(DType::new(code, if bits == 0 { usual } else { bits }))
    }

    /// Returns `true` if hardware has this dtype. TVM accepts integers and floats of any width.
    pub fn is_usual(self) -> bool {
        match self.code {
            Code::Int | Code::UInt => matches!(self.bits, 1 | 2 | 4 | 8 | 16 | 32 | 64),
            Code::Float => matches!(self.bits, 16 | 32 | 64),
            Code::BFloat => self.bits == 16,
            _ => true,
        }
    }

    pub fn is_bool(self) -> bool {
        self.code == Code::Bool
    }

    /// Returns `true` for signed and unsigned integers, but not for bool.
    pub fn is_int(self) -> bool {
        matches!(self.code, Code::Int | Code::UInt)
    }

    /// Returns `true` for all floats, including bfloat16 and floats of eight bits or fewer.
    pub fn is_float(self) -> bool {
        matches!(self.code, Code::Float | Code::BFloat | Code::Tiny(_))
    }

    pub fn is_pointer(self) -> bool {
        self.code == Code::Handle
    }

    pub fn is_python(self) -> bool {
        self.code == Code::Python
    }

    /// Returns `true` if the two are known to differ.
    pub fn differs(self, other: DType) -> bool {
        self != other && !self.is_python() && !other.is_python()
    }

    /// Returns the size of one element in bytes, rounded up.
    pub fn bytes(self) -> usize {
        (self.bits as usize * self.lanes as usize).div_ceil(8)
    }
}

impl DType {
    /// Returns the name in short notation: `f32`, `bf16`, `i64`, `u8`, `f8e4m3fn`, `bool`.
    pub fn short(self) -> String {
        let name = self.to_string();
        const LONG: [(&str, &str); 4] = [
            ("bfloat", "bf"),
            ("float", "f"),
            ("uint", "u"),
            ("int", "i"),
        ];
        let short = LONG
            .iter()
            .find_map(|(long, short)| Some((short, name.strip_prefix(long)?)));
        match short {
            Some((short, rest)) => format!("{short}{}", rest.replace('_', "")),
            None => name,
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Code::Bool => f.write_str("bool")?,
            Code::Handle => f.write_str("handle")?,
            Code::Void => f.write_str("void")?,
            Code::Python => f.write_str("?")?,
            Code::Int => write!(f, "int{}", self.bits)?,
            Code::UInt => write!(f, "uint{}", self.bits)?,
            Code::Float => write!(f, "float{}", self.bits)?,
            Code::BFloat => write!(f, "bfloat{}", self.bits)?,
            Code::Tiny(tiny) => {
                let name = TINY
                    .iter()
                    .find(|row| row.0 == tiny)
                    .map_or("float8", |row| row.1);
                f.write_str(name)?;
            }
        }
        if self.lanes > 1 {
            write!(f, "x{}", self.lanes)
        } else {
            Ok(())
        }
    }
}

impl fmt::Debug for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_reads_back_as_itself() {
        for text in [
            "bool",
            "int8",
            "uint64",
            "float16",
            "bfloat16",
            "float8_e4m3fn",
            "int8x4",
            "handle",
        ] {
            assert_eq!(
                DType::parse(text).map(|d| d.to_string()).as_deref(),
                Some(text)
            );
        }
    }

    #[test]
    fn codes_of_dlpack_are_read() {
        let read = |code, bits| DType::of_dlpack(code, bits, 1).map(|it| it.to_string());
        let expected = [
            (0, 64, "int64"),
            (1, 1, "bool"),
            (2, 16, "float16"),
            (4, 16, "bfloat16"),
            (6, 8, "bool"),
            (10, 8, "float8_e4m3fn"),
            (17, 4, "float4_e2m1fn"),
        ];
        for (code, bits, name) in expected {
            assert_eq!(read(code, bits).as_deref(), Some(name));
        }
        assert_eq!([read(3, 64), read(18, 8)], [None, None]);
    }

    #[test]
    fn a_dtype_computed_by_python_equals_any_other() {
        assert!(!DType::PYTHON.differs(DType::F32) && !DType::F32.differs(DType::PYTHON));
        assert!(DType::F32.differs(DType::F16));
    }

    #[test]
    fn an_invalid_dtype_is_rejected() {
        for text in ["", "void", "float", "flaot32", "32", "int8x0"] {
            assert!(DType::parse(text).is_none() || text == "float", "{text}");
        }
    }
}
