//! A timeline as one HTML file that stands alone: no script, no font, nothing from outside, and a policy in it that
//! lets a browser run and fetch nothing even so.

mod table;

use std::io::{self, Write};

use super::{
    chart::{Chart, Section},
    words,
};
use crate::{
    pair::Standing,
    render::{
        columns::{elapsed_exactly, fit, visible},
        markup::escaped,
        style::plan_name,
        when::utc,
    },
};
use table::Table;

/// Writes `chart` as a page.
///
/// # Errors
///
/// Faults of writing to `out`.
pub fn html(out: &mut dyn Write, chart: &Chart<'_>) -> io::Result<()> {
    let session = chart.run.session_id.as_deref().unwrap_or("a plan");
    let session = escaped(&fit(&visible(session), words::WIDEST_ID));
    writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Timeline of {session}</title>\n<style>\n{}{}</style>\n</head>\n<body>\n\
         <header>\n<h1>Timeline of {session}</h1>",
        include_str!("../palette.css"),
        include_str!("page.css")
    )?;
    facts(out, chart)?;
    out.write_all(LEGEND.as_bytes())?;
    writeln!(out, "</header>\n<main>")?;
    let mut table = Table::new(chart.is_going_on());
    for (number, section) in chart.sections.iter().enumerate() {
        plan(out, chart, section, number, &mut table)?;
    }
    if !chart.strays.is_empty() {
        writeln!(
            out,
            "<section aria-labelledby=\"strays\">\n<h2 id=\"strays\">Delegations outside of a plan</h2>"
        )?;
        table.strays(out, &chart.strays)?;
        writeln!(out, "</section>")?;
    }
    if chart.run.delegations.left_out > 0 {
        let count = chart.run.delegations.left_out;
        writeln!(out, "<p>… and {count} more delegations</p>")?;
    }
    if chart.sections.is_empty() && chart.strays.is_empty() {
        writeln!(out, "<p>no plan ran</p>")?;
    }
    writeln!(out, "</main>\n</body>\n</html>")
}

fn facts(out: &mut dyn Write, chart: &Chart<'_>) -> io::Result<()> {
    let run = chart.run;
    let mut facts = Vec::new();
    if let Some(start) = &run.start {
        let capsule = format!("{} {}", start.capsule_name, start.capsule_version);
        facts.push(("capsule", capsule.trim_end().to_owned()));
    }
    facts.extend(run.started_ms.map(|at_ms| ("started", utc(at_ms))));
    let took = run.duration_ms();
    facts.extend(took.map(|took| ("took", elapsed_exactly(took))));
    let ended = run
        .end
        .as_ref()
        .map(|end| end.exit_status.name().to_owned());
    facts.extend(
        ended
            .or_else(|| words::no_end(chart))
            .map(|words| ("outcome", words)),
    );
    writeln!(out, "<dl class=\"facts\">")?;
    for (name, value) in facts {
        let value = escaped(&value);
        writeln!(out, "<div><dt>{name}</dt><dd>{value}</dd></div>")?;
    }
    writeln!(out, "</dl>")
}

fn plan(
    out: &mut dyn Write,
    chart: &Chart<'_>,
    section: &Section<'_>,
    number: usize,
    table: &mut Table,
) -> io::Result<()> {
    let name = escaped(&fit(&visible(plan_name(section.plan)), WIDEST_NAME));
    writeln!(
        out,
        "<section aria-labelledby=\"p{number}\">\n<h2 id=\"p{number}\">Plan {name}</h2>\n<p>{}</p>",
        escaped(&words::outcome(section, chart.is_going_on()))
    )?;
    if let Some(reason) = words::reason(section) {
        writeln!(out, "<p class=\"why\">{}</p>", escaped(&reason))?;
    }
    if let Some(path) = words::path(section) {
        writeln!(out, "<p>{}</p>", escaped(&path))?;
    }
    failures(out, section, table.next_row())?;
    if !section.bars.is_empty() {
        table.plan(out, section, &name)?;
    }
    writeln!(out, "</section>")
}

/// The errors of the first failed steps: what a person who opens the page in the morning looks for.
fn failures(out: &mut dyn Write, section: &Section<'_>, first_row: usize) -> io::Result<()> {
    let mut count = 0;
    for (row, bar) in section.bars.iter().enumerate() {
        let Standing::Settled(settled) = bar.step.standing() else {
            continue;
        };
        let Some(error) = settled.error.filter(|_| words::class(bar) == "failed") else {
            continue;
        };
        count += 1;
        if count == 1 {
            writeln!(out, "<h3>What failed</h3>\n<dl class=\"failures\">")?;
        }
        if count > MOST_FAILURES {
            continue;
        }
        writeln!(
            out,
            "<dt><a href=\"#s{}\">{}</a></dt><dd>{}</dd>",
            first_row + row,
            escaped(&fit(&visible(bar.step.id()), WIDEST_NAME)),
            escaped(&words::error(error))
        )?;
    }
    if count > 0 {
        writeln!(out, "</dl>")?;
    }
    if count > MOST_FAILURES {
        let left = count - MOST_FAILURES;
        writeln!(out, "<p>… and {left} more, each in its row</p>")?;
    }
    Ok(())
}

/// What a browser may do with the page: apply its styles.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
/// In a heading there is more room than in a row.
const WIDEST_NAME: usize = 200;
/// More than this hides the bars.
const MOST_FAILURES: usize = 5;
/// What shapes and patterns mean.
const LEGEND: &str = "\
<ul class=\"legend\" aria-label=\"Legend\">
<li><i class=\"b tool\"></i>tool</li>
<li><i class=\"b shell\"></i>shell</li>
<li><i class=\"b capsule\"></i>capsule</li>
<li class=\"failed\"><i class=\"b tool\"></i>failed</li>
<li class=\"skipped\"><i class=\"b tool\"></i>skipped after it ran</li>
<li><i class=\"p\"></i>settled without being dispatched</li>
<li><i class=\"w\"></i>ready and waiting to be dispatched</li>
<li class=\"critical\"><i class=\"b tool\"></i>◆ critical path: what the end waited for</li>
<li><i class=\"b tool\"><u style=\"left:33%;--u:8%\"></u><u style=\"left:67%;--u:8%\"></u></i>attempts, in equal parts because the trace does not say when one ended</li>
<li><i class=\"l\"></i>delegation</li>
</ul>
<p class=\"hint\">Point at a step, or move to it with the Tab key, to see all of it below; follow its link to keep it there.</p>
";
