//! Texts that are not JSON, or not of a plan's outer shape.

use insta::assert_snapshot;
use plan_model::PlanDoc;
use proptest::prelude::*;
use serde::de::IgnoredAny;

use crate::page::faults;

/// ruling 1: a text that is not one JSON value is refused with its place and one fault.
#[test]
fn what_is_not_json_is_refused_with_its_place() {
    let texts = [
        "",
        "  \n ",
        "{",
        "[1,",
        "[1,]",
        r#"{"id":1,}"#,
        "{'a':1}",
        r#"{"a":'x'}"#,
        r#"{"a" 1}"#,
        r#"{"a":1 "b":2}"#,
        "[1 2]",
        r#"{"a":}"#,
        r#"{"a":tru}"#,
        r#"{"a":None}"#,
        r#"{"a":01}"#,
        r#"{"a":"\x"}"#,
        r#"{"a":"\u12"}"#,
        "{\"a\":\"x\ny\"}",
        "{\"a\":\"x\u{1}\"}",
        "```json\n{}\n```",
        "{} x",
        "// no\n{}",
        "{\"a\":“x”}",
        "{\"id\":\"p\",\"steps\":[{\"id\":\"a\"},\n{\"id\":\"b\",\"shell\":\"tru",
        r#"{"a":{"b/c~":[1,{"d":+1}]}}"#,
    ];
    let shown: Vec<String> = texts
        .iter()
        .map(|text| format!("{text}\n{}", faults(text)))
        .collect();
    assert_snapshot!(shown.join("\n"));
}

/// ruling 1: anything but an object is refused.
#[test]
fn another_value_is_no_plan() {
    let texts = [
        "[]",
        "\"{}\"",
        "7",
        "null",
        "[[[[",
        "{}",
        r#"{"id": "p"}"#,
        r#"{"steps": {}}"#,
    ];
    let shown: Vec<String> = texts
        .iter()
        .map(|text| format!("{text}\n{}", faults(text)))
        .collect();
    assert_snapshot!(shown.join("\n"));
}

/// ruling 1: invalid UTF-8 is refused where it is.
#[test]
fn what_is_not_utf8_is_refused_with_its_place() {
    let refused = PlanDoc::read(b"{\"id\": \"\xc3\xa9\",\n \"steps\": [\"\xff\"]}".to_vec())
        .check(None)
        .plan
        .unwrap_err();
    let fault = &refused.faults[0];
    assert_eq!(fault.code, "invalid-utf8");
    assert_eq!(
        (
            fault.pointer.as_str(),
            fault.line,
            fault.column,
            fault.span.clone()
        ),
        ("/steps/0", 2, 13, 25..26)
    );
    assert_eq!((refused.faults.len(), refused.declared), (1, 0));
}

/// spec: What is refused before anything runs; decision: a text made of brackets ends quickly, without recursion.
#[test]
fn a_very_deep_text_is_refused() {
    let deep = 1_000_000;
    let open = "[".repeat(deep);
    assert_eq!(
        PlanDoc::read(open.clone().into_bytes())
            .check(None)
            .plan
            .unwrap_err()
            .faults[0]
            .code,
        "syntax"
    );
    let whole = format!("{open}{}", "]".repeat(deep));
    let refused = PlanDoc::read(whole.clone().into_bytes())
        .check(None)
        .plan
        .unwrap_err();
    assert_eq!(refused.faults[0].code, "not-an-object");
    let inside = format!("{{\"id\": \"p\", \"steps\": [], \"x\": {whole}}}");
    let refused = PlanDoc::read(inside.into_bytes())
        .check(None)
        .plan
        .unwrap_err();
    assert_eq!(refused.faults[0].code, "too-deep");
}

/// Makes a text that is nearly JSON: tokens in any order, mostly in a good one.
fn nearly_json() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"a\"",
        "\"\\n\"",
        "\"\\u0041\"",
        "\"\\q\"",
        "\"\\u00\"",
        "1",
        "-0",
        "01",
        "1.5e3",
        "1.",
        "-",
        "true",
        "nul",
        "null",
        " ",
        "\n",
        "'",
        "\"",
        "{\"a\":",
        "[1,",
        "é",
        "\\",
    ]);
    prop::collection::vec(token, 0..12).prop_map(|tokens| tokens.concat())
}

proptest! {
    /// ruling 1: what is JSON is serde_json's to say, and each text that is not has words of ours and a place.
    #[test]
    fn the_place_of_a_syntax_fault_is_found(text in nearly_json()) {
        let json = serde_json::from_str::<IgnoredAny>(&text);
        let refused = PlanDoc::read(text.clone().into_bytes()).check(None).plan.unwrap_err();
        let syntax = refused.faults[0].code == "syntax";
        prop_assert_eq!(syntax, json.is_err());
        if syntax {
            prop_assert_ne!(&refused.faults[0].message, "the text is not JSON from here on");
            prop_assert!(text.get(refused.faults[0].span.clone()).is_some());
        }
    }
}
