//! Any text is a condition, blank, or refused at a place in it; what a condition prints as reads back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let cond = match plan_cond::parse(text) {
        Ok(Some(cond)) => cond,
        Ok(None) => return assert!(text.trim().is_empty()),
        Err(error) => {
            assert!(error.span.start <= error.span.end && error.span.end <= text.len());
            assert!(text.is_char_boundary(error.span.start) && text.is_char_boundary(error.span.end));
            assert!(!error.to_string().is_empty() && !error.hint().is_empty());
            assert!(error.column(text) >= 1);
            return;
        }
    };
    cond.each_reference(&mut |reference, span| {
        let spelled = &text[span.start as usize..span.end as usize];
        assert_eq!(spelled, reference.to_string());
    });

    let printed = cond.to_string();
    let again = plan_cond::parse(&printed)
        .expect("what is printed parses")
        .expect("what is printed is not blank");
    assert_eq!(printed, again.to_string());

    // Both are decided alike whatever the references stand for.
    for value in ["", "failed", "\u{10ffff}"] {
        let first = cond.eval::<()>(&mut |_| Ok(value));
        assert_eq!(first, again.eval(&mut |_| Ok(value)));
    }
    let _ = cond.eval(&mut |_| Err(()));
});
