//! Timelines as a picture and as a page: what stands in them, and that they grow no faster than a run.

use plan_trace::{
    pair::Run,
    render::{
        Writer,
        timeline::{self, Chart},
    },
};

use super::{PLAIN, RUNS, of_text, run, timeline::drawn};

fn page(run: &Run) -> String {
    let mut out = Vec::new();
    timeline::html(&mut out, &Chart::of(run, Writer::NotSeen, None)).unwrap();
    String::from_utf8(out).unwrap()
}

fn picture(run: &Run) -> String {
    let mut out = Vec::new();
    timeline::svg(&mut out, &Chart::of(run, Writer::NotSeen, None)).unwrap();
    String::from_utf8(out).unwrap()
}

/// What follows the styles, which are files of their own.
fn without_style(markup: &str) -> String {
    let (head, rest) = markup.split_once("<style>").unwrap();
    let (_, body) = rest.split_once("</style>").unwrap();
    format!("{head}<style>[..]</style>{body}")
}

/// spec: Bad input: ids and errors are text in a page and a picture, whatever is in them
#[test]
fn markup_in_a_trace_is_text_in_a_page_and_a_picture() {
    let run = run("views/hostile");
    let (page, picture) = (page(&run), picture(&run));
    for markup in [&page, &picture] {
        for word in [
            "<script",
            "<img",
            "<b>nightly",
            " onerror=\"",
            " onfocus=\"",
            "href='",
            "\u{1b}",
            "\u{202e}",
            "\u{0}",
        ] {
            assert!(!markup.contains(word), "{word}");
        }
        // A page has one style and one title, and nothing in the trace ends them.
        assert_eq!(markup.matches("</style>").count(), 1);
        assert!(markup.contains("&lt;/style&gt;&lt;script&gt;"));
    }
    assert_eq!(page.matches("</title>").count(), 1);
    insta::assert_snapshot!("hostile_html", without_style(&page));
    insta::assert_snapshot!("hostile_svg", without_style(&picture));
}

/// decision: a page and a picture stand alone, and a browser is told to fetch and run nothing
#[test]
fn pages_and_pictures_lead_nowhere() {
    for (name, _) in RUNS {
        let run = run(&format!("views/{name}"));
        let (page, picture) = (page(&run), picture(&run));
        for markup in [&page, &picture] {
            for word in ["src=", "@import", "<script", "<link", "javascript:"] {
                // The words of a trace stand there escaped, as text.
                let is_text = name == "hostile";
                assert!(is_text || !markup.contains(word), "{name}: {word}");
            }
            let fragments = markup.matches("url(#").count();
            assert_eq!(markup.matches("url(").count(), fragments, "{name}");
            let links = markup.matches("href=\"#").count();
            assert_eq!(markup.matches("href=\"").count(), links, "{name}");
        }
        assert!(page.contains("default-src 'none'"));
        let outside = picture.replace("http://www.w3.org/2000/svg", "");
        assert!(!outside.contains("://"), "{name}");
    }
}

/// decision: who cannot see bars reads a table: each step a row with its words
#[test]
fn a_page_has_a_row_for_every_step_and_every_delegation() {
    for (name, _) in RUNS {
        let run = run(&format!("views/{name}"));
        let steps: usize = run.plans.iter().map(|plan| plan.steps().len()).sum();
        let rows = steps + run.delegations.kept.len();
        let page = page(&run);
        assert_eq!(page.matches("<th scope=\"row\">").count(), rows, "{name}");
        assert_eq!(page.matches("aria-describedby=\"d").count(), rows, "{name}");
        let picture = picture(&run);
        assert_eq!(picture.matches("<g class=\"row").count(), rows, "{name}");
    }
}

/// spec: In the trace; decision: a timeline grows with its steps and no faster
#[test]
fn a_thousand_steps_are_a_thousand_rows() {
    let began = std::time::Instant::now();
    for steps in [1000, 5000] {
        let run = of_text(&staircase(steps));
        let text = drawn(&run, Writer::NotSeen, PLAIN);
        let bars = text.lines().filter(|line| line.contains('▓')).count();
        // One more in the legend.
        assert_eq!(bars, steps + 1);
        // Each step waits for the one before, so every row begins where the last one ended or right of it.
        let begins: Vec<_> = text
            .lines()
            .filter_map(|line| line.find('▓'))
            .take(steps)
            .collect();
        assert!(begins.is_sorted(), "a staircase");
        assert!(text.contains("critical path: s0 → s1 → s2 → s3 → … "));
        let (page, picture) = (page(&run), picture(&run));
        assert_eq!(
            page.matches("<tr class=\"success critical\"").count(),
            steps
        );
        assert!(page.len() < 40_000 + 1000 * steps, "{}", page.len());
        assert!(picture.len() < 40_000 + 1000 * steps, "{}", picture.len());
    }
    // Far more than it takes, far less than anything quadratic would.
    assert!(began.elapsed().as_secs() < 30, "{:?}", began.elapsed());
}

/// The trace of a chain of steps.
fn staircase(steps: usize) -> String {
    let mut lines = Vec::new();
    let envelope = |kind: &str, number: usize, parent: &str, at: usize| {
        format!(
            r#"{{"event_type":"{kind}","event_id":"evt_{number}","parent_id":{parent},"session_id":"ses_x","timestamp":{},"#,
            1_772_841_600_000 + at
        )
    };
    lines.push(
        envelope("session_start", 0, "null", 0)
            + r#""capsule_name":"c","capsule_version":"0.1.0","model":""}"#,
    );
    let declared: Vec<_> = (0..steps)
        .map(|at| {
            let after = if at == 0 { String::new() } else { format!("\"s{}\"", at - 1) };
            format!(r#"{{"step_id":"s{at}","kind":"shell","depends_on":[{after}],"has_condition":false}}"#)
        })
        .collect();
    lines.push(
        envelope("plan_start", 1, "\"evt_0\"", 0)
            + &format!(
                r#""plan_id":"p","step_count":{steps},"steps":[{}]}}"#,
                declared.join(",")
            ),
    );
    for at in 0..steps {
        lines.push(
            envelope("plan_step_start", 2 + 2 * at, "\"evt_1\"", at * 10)
                + &format!(r#""plan_id":"p","step_id":"s{at}","kind":"shell","depends_on":[]}}"#),
        );
        lines.push(
            envelope("plan_step", 3 + 2 * at, "\"evt_1\"", at * 10 + 10)
                + &format!(r#""plan_id":"p","step_id":"s{at}","kind":"shell","status":"success","attempts":1,"duration_ms":10}}"#),
        );
    }
    lines.join("\n") + "\n"
}
