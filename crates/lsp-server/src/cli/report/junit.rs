//! `--format junit`: JUnit XML; each file is a suite, and each diagnostic a failed test.

use std::io;

use ide::{Diagnostic, Severity, visible};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::FileReport;

/// Well-formed XML.
pub struct Xml(String);

impl Xml {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

pub fn render(reports: &[FileReport]) -> Xml {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    write(&mut writer, reports).expect("memory can be written");
    let text = String::from_utf8(writer.into_inner()).expect("what is written is UTF-8");
    // XML has no notation for most control characters.
    Xml(visible::lines(&text).into_owned() + "\n")
}

type XmlWriter = Writer<Vec<u8>>;

fn write(xml: &mut XmlWriter, reports: &[FileReport]) -> io::Result<()> {
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let suites = xml.create_element("testsuites");
    suites
        .with_attribute(("name", "relax-lsp"))
        .write_inner_content(|xml| reports.iter().try_for_each(|it| suite(xml, it)))?;
    Ok(())
}

fn suite(xml: &mut XmlWriter, report: &FileReport) -> io::Result<()> {
    let found = &report.diagnostics;
    let is_error = |it: &&Diagnostic| it.severity == Severity::Error;
    let errors = found.iter().filter(is_error).count();
    let suite = xml.create_element("testsuite").with_attributes([
        ("name", report.slash_path().as_str()),
        ("tests", &found.len().max(1).to_string()),
        ("errors", &errors.to_string()),
        ("failures", &(found.len() - errors).to_string()),
    ]);
    suite.write_inner_content(|xml| {
        if found.is_empty() {
            let clean = xml.create_element("testcase");
            clean.with_attribute(("name", "check")).write_empty()?;
        }
        found.iter().try_for_each(|it| case(xml, report, it))
    })?;
    Ok(())
}

fn case(xml: &mut XmlWriter, report: &FileReport, diagnostic: &Diagnostic) -> io::Result<()> {
    let span = report.span(diagnostic.range);
    let place = format!("{}:{}", span.line, span.col);
    let name = format!("{}:{place}", diagnostic.code);
    let kind = match diagnostic.severity {
        Severity::Error => "error",
        _ => "failure",
    };
    let case = xml.create_element("testcase");
    case.with_attribute(("name", name.as_str()))
        .write_inner_content(|xml| {
            let wrong = xml.create_element(kind).with_attributes([
                ("type", diagnostic.code),
                ("message", diagnostic.message.as_str()),
            ]);
            let path = report.slash_path();
            let text = format!("{path}:{place}: {}", diagnostic.message);
            wrong.write_text_content(BytesText::new(&text))?;
            Ok(())
        })?;
    Ok(())
}
