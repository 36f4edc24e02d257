//! The table of a plan: a row for each step, its last cell the bar. Who cannot see the bars reads the cells.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use super::{
    super::{
        axis::Axis,
        bar::{Bar, Delegated, Drawn},
        chart::Section,
        words::{self, Fill},
    },
    WIDEST_NAME,
};
use crate::render::{
    columns::{elapsed_exactly, fit, visible},
    markup::escaped,
};

/// The tables of a page, whose rows are numbered through.
pub(super) struct Table {
    next_row: usize,
    is_going_on: bool,
    /// The row being put together.
    row: String,
}

impl Table {
    pub(super) fn new(is_going_on: bool) -> Self {
        Self {
            next_row: 0,
            is_going_on,
            row: String::new(),
        }
    }

    /// Returns the number of the next row, by which a link reaches it.
    pub(super) fn next_row(&self) -> usize {
        self.next_row
    }

    /// Writes the table of a plan, whose name is markup already.
    pub(super) fn plan(
        &mut self,
        out: &mut dyn Write,
        section: &Section<'_>,
        name: &str,
    ) -> io::Result<()> {
        head(
            out,
            section.axis,
            &format!("Steps of plan {name}, in the order they began"),
        )?;
        writeln!(out, "<tbody>")?;
        for bar in &section.bars {
            self.step(bar, section);
            out.write_all(self.row.as_bytes())?;
        }
        writeln!(out, "</tbody>")?;
        if !section.delegations.is_empty() {
            writeln!(out, "<tbody>")?;
            for delegated in &section.delegations {
                self.delegation(delegated, section.axis);
                out.write_all(self.row.as_bytes())?;
            }
            writeln!(out, "</tbody>")?;
        }
        writeln!(out, "</table>")
    }

    /// Writes the table of delegations outside of a plan.
    pub(super) fn strays(
        &mut self,
        out: &mut dyn Write,
        strays: &[Delegated<'_>],
    ) -> io::Result<()> {
        head(out, None, "Delegations outside of a plan")?;
        writeln!(out, "<tbody>")?;
        for delegated in strays {
            self.delegation(delegated, None);
            out.write_all(self.row.as_bytes())?;
        }
        writeln!(out, "</tbody>\n</table>")
    }

    fn step(&mut self, bar: &Bar<'_>, section: &Section<'_>) {
        let class = words::class(bar);
        let (critical, said) = match bar.is_critical {
            true => (" critical", "<span class=\"vh\">critical path: </span>"),
            false => ("", ""),
        };
        let number = self.begin(&format!("{class}{critical}"), bar.step.id(), said);
        let kind = bar.step.kind();
        let cells = [
            visible(kind.name()).into_owned(),
            words::status(bar, self.is_going_on),
            words::waited(bar),
            words::took(bar),
        ];
        self.cells(&cells);
        if let Some(axis) = section.axis {
            self.bar(bar, axis);
        }
        let details = words::details(bar, section, self.is_going_on);
        self.end(number, bar.step.id(), &details);
    }

    fn delegation(&mut self, delegated: &Delegated<'_>, axis: Option<Axis>) {
        let outcome = delegated.outcome(self.is_going_on);
        let class = match outcome {
            "completed" | "in flight" => "delegation",
            _ => "delegation bad",
        };
        let capsule = delegated.run.capsule();
        let number = self.begin(class, capsule, "");
        let end = delegated.run.end.as_ref();
        let cells = [
            "delegation".to_owned(),
            visible(outcome).into_owned(),
            String::new(),
            end.map_or(String::new(), |end| elapsed_exactly(end.duration_ms)),
        ];
        self.cells(&cells);
        if let (Some(axis), Some((begin, end))) = (axis, delegated.stretch) {
            self.stretch("l", axis, begin, end);
            self.row.push_str("</i>");
        }
        let details = words::delegated(delegated, self.is_going_on);
        self.end(number, capsule, &details);
    }

    /// Begins a row and returns its number. `before` is markup.
    fn begin(&mut self, class: &str, id: &str, before: &str) -> usize {
        let number = self.next_row;
        self.next_row += 1;
        self.row.clear();
        let id = escaped(&fit(&visible(id), WIDEST_NAME));
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            self.row,
            "<tr class=\"{class}\" id=\"s{number}\"><th scope=\"row\">\
             <a href=\"#s{number}\" aria-describedby=\"d{number}\">{before}{id}</a></th>"
        );
        number
    }

    fn cells(&mut self, [kind, status, waited, took]: &[String; 4]) {
        let _ = write!(
            self.row,
            "<td class=\"w6\">{}</td><td class=\"s\">{}</td><td class=\"n w9\">{waited}</td>\
             <td class=\"n w6\">{took}</td><td class=\"c\" aria-hidden=\"true\"><div class=\"r\">",
            escaped(kind),
            escaped(status)
        );
    }

    fn bar(&mut self, bar: &Bar<'_>, axis: Axis) {
        if let Some((from, to)) = bar.waited() {
            self.stretch("w", axis, from, to);
            self.row.push_str("</i>");
        }
        match (bar.drawn, bar.stretch()) {
            (Drawn::Settled { .. }, Some((at, _))) => {
                self.stretch("p", axis, at, at);
                self.row.push_str("</i>");
            }
            (_, Some((begin, end))) => {
                let fill = Fill::of(bar).name();
                self.stretch(&format!("b {fill}"), axis, begin, end);
                let attempts = bar.attempts();
                if (2..=MOST_PARTS).contains(&attempts) {
                    // However short the bar is, what lies between its parts takes no more than a quarter of it.
                    let width = percent(WHOLE / 4 / attempts);
                    for part in 1..attempts {
                        let left = percent(part * WHOLE / attempts);
                        let _ = write!(self.row, "<u style=\"left:{left};--u:{width}\"></u>");
                    }
                }
                self.row.push_str("</i>");
            }
            (_, None) => {}
        }
    }

    /// Begins a stretch of the axis.
    fn stretch(&mut self, class: &str, axis: Axis, begin: u64, end: u64) {
        let (begin, end) = (axis.place(begin, WHOLE), axis.place(end, WHOLE));
        let _ = write!(
            self.row,
            "<i class=\"{class}\" style=\"left:{};width:{}\">",
            percent(begin),
            percent(end - begin)
        );
    }

    fn end(&mut self, number: usize, id: &str, details: &str) {
        let _ = writeln!(
            self.row,
            "</div><div class=\"d\" id=\"d{number}\"><b>{}</b>\n{}</div></td></tr>",
            escaped(&fit(&visible(id), WIDEST_NAME)),
            escaped(details)
        );
    }
}

fn head(out: &mut dyn Write, axis: Option<Axis>, caption: &str) -> io::Result<()> {
    let ticks = axis.map_or(Vec::new(), |axis| axis.ticks(MOST_TICKS));
    let second = axis.zip(ticks.get(1));
    let step = second.map_or(WHOLE, |(axis, tick)| axis.place(tick.at_ms, WHOLE));
    write!(
        out,
        "<table style=\"--step:{}\">\n<caption>{caption}</caption>\n<thead><tr><th scope=\"col\" class=\"t\">Step</th>\
         <th scope=\"col\" class=\"k w6\">Kind</th><th scope=\"col\" class=\"s\">Status</th>\
         <th scope=\"col\" class=\"n w9\">Waited</th><th scope=\"col\" class=\"n w6\">Took</th>\
         <th scope=\"col\" class=\"c\"><span class=\"vh\">Bar</span><div class=\"r\" aria-hidden=\"true\">",
        percent(step)
    )?;
    for tick in &ticks {
        let left = axis.map_or(0, |axis| axis.place(tick.at_ms, WHOLE));
        // What begins at the right end has no room for its words.
        if left <= WHOLE - WHOLE / 20 {
            write!(
                out,
                "<span style=\"left:{}\">{}</span>",
                percent(left),
                tick.label
            )?;
        }
    }
    writeln!(out, "</div></th></tr></thead>")
}

/// Returns a part of [`WHOLE`] as CSS writes it.
fn percent(part: u64) -> String {
    let text = format!("{}.{:03}", part / 1000, part % 1000);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}%")
}

/// Parts of the axis: thousandths of a hundredth.
const WHOLE: u64 = 100_000;
/// Marks of the axis: on a phone their words still stand beside one another.
const MOST_TICKS: u64 = 6;
/// More attempts than this are a comb; the row says how many they were.
const MOST_PARTS: u64 = 20;
