//! Big traces: shown at a cost that grows with them and no faster.

use std::{
    fmt::Write as _,
    io::{self, BufRead, Read},
    time::Instant,
};

use plan_trace::{
    Reader,
    pair::Run,
    render::{self, Writer, data},
};

use super::{PLAIN, drawn_show, drawn_steps, of_text};

/// A trace of one plan whose every step ran, made as it is read.
struct Trace {
    steps: usize,
    next: usize,
    line: Vec<u8>,
    at: usize,
}

impl Trace {
    fn new(steps: usize) -> Self {
        Self {
            steps,
            next: 0,
            line: Vec::new(),
            at: 0,
        }
    }

    fn make(&mut self) {
        let mut line = String::new();
        let envelope = |kind: &str, number: usize| {
            let parent = match number {
                0 => "null".to_owned(),
                1 => "\"evt_0\"".to_owned(),
                _ => "\"evt_1\"".to_owned(),
            };
            format!(
                r#"{{"event_type":"{kind}","event_id":"evt_{number}","parent_id":{parent},"session_id":"ses_x","timestamp":{},"#,
                1_772_841_600_000 + number as u64
            )
        };
        let depends_on = |step: usize| match step % 100 {
            0 => String::new(),
            _ => format!("\"step-{}\"", step - 1),
        };
        let number = self.next;
        let last = 2 + 2 * self.steps;
        match number {
            0 => {
                line.push_str(&envelope("session_start", 0));
                line.push_str(r#""capsule_name":"big","capsule_version":"0.1.0","model":""}"#);
            }
            1 => {
                line.push_str(&envelope("plan_start", 1));
                let _ = write!(
                    line,
                    r#""plan_id":"big","step_count":{},"steps":["#,
                    self.steps
                );
                for step in 0..self.steps {
                    let comma = if step == 0 { "" } else { "," };
                    let _ = write!(
                        line,
                        r#"{comma}{{"step_id":"step-{step}","kind":"shell","depends_on":[{}],"has_condition":false}}"#,
                        depends_on(step)
                    );
                }
                line.push_str("]}");
            }
            _ if number < last => {
                let step = (number - 2) / 2;
                if number.is_multiple_of(2) {
                    line.push_str(&envelope("plan_step_start", number));
                    let _ = write!(
                        line,
                        r#""plan_id":"big","step_id":"step-{step}","kind":"shell","depends_on":[{}]}}"#,
                        depends_on(step)
                    );
                } else {
                    line.push_str(&envelope("plan_step", number));
                    let _ = write!(
                        line,
                        r#""plan_id":"big","step_id":"step-{step}","kind":"shell","status":"success","attempts":1,"duration_ms":{}}}"#,
                        step % 5000
                    );
                }
            }
            _ if number == last => {
                line.push_str(&envelope("plan_end", number));
                let _ = write!(
                    line,
                    r#""plan_id":"big","outcome":"completed","steps_total":{0},"steps_succeeded":{0},"steps_failed":0,"steps_skipped":0,"duration_ms":9}}"#,
                    self.steps
                );
            }
            _ => {
                self.line.clear();
                self.at = 0;
                return;
            }
        }
        line.push('\n');
        self.line = line.into_bytes();
        self.at = 0;
        self.next += 1;
    }
}

impl Read for Trace {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Trace {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.line.len() {
            self.make();
        }
        Ok(&self.line[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount;
    }
}

/// spec: In the trace; issue: a trace of 1,000 steps
#[test]
fn a_thousand_steps_have_a_row_each() {
    let mut text = String::new();
    Trace::new(1000).read_to_string(&mut text).unwrap();
    let run = of_text(&text);
    let shown = drawn_show(&run, Writer::NotSeen, PLAIN);
    let ends = |text: &str| {
        let lines: Vec<_> = text.lines().collect();
        let (first, last) = (&lines[..12], &lines[lines.len() - 2..]);
        format!(
            "{}\n({} lines)\n{}",
            first.join("\n"),
            lines.len(),
            last.join("\n")
        )
    };
    insta::assert_snapshot!(ends(&shown), @r"
    session     ses_x
    capsule     big 0.1.0
    started     2026-03-07 00:00:00 UTC
    took        2.0 s
    outcome     no end: still going on, or killed; last event `plan_end`, line 2003, 2026-03-07 00:00:02 UTC

    Plan big
      completed in 9 ms
      1000 steps: 1000 succeeded, 0 failed, 0 skipped
        step-0    shell  success  0 ms
        step-1    shell  success  1 ms    after step-0
        step-2    shell  success  2 ms    after step-1
    (1009 lines)
        step-998  shell  success  998 ms  after step-997
        step-999  shell  success  999 ms  after step-998
    ");
    insta::assert_snapshot!(ends(&drawn_steps(&run, Writer::NotSeen, PLAIN)), @r"
    at       what        kind   status     tries  time    error
    +1 ms    big         plan   completed         9 ms
    +3 ms      step-0    shell  success    1      0 ms
    +5 ms      step-1    shell  success    1      1 ms
    +7 ms      step-2    shell  success    1      2 ms
    +9 ms      step-3    shell  success    1      3 ms
    +11 ms     step-4    shell  success    1      4 ms
    +13 ms     step-5    shell  success    1      5 ms
    +15 ms     step-6    shell  success    1      6 ms
    +17 ms     step-7    shell  success    1      7 ms
    +19 ms     step-8    shell  success    1      8 ms
    +21 ms     step-9    shell  success    1      9 ms
    (1002 lines)
    +1.9 s     step-998  shell  success    1      998 ms
    +2.0 s     step-999  shell  success    1      999 ms
    ");
}

/// decision: reading a trace and drawing it are linear in its lines
#[test]
fn two_hundred_thousand_lines_are_shown_in_no_time() {
    let began = Instant::now();
    let run = Run::read(&mut Reader::new(Trace::new(100_000), "big.jsonl")).unwrap();
    let tally = run.plans[0].tally();
    assert_eq!((tally.total, tally.succeeded), (100_000, 100_000));
    let mut sink = io::sink();
    render::show(&mut sink, &run, Writer::NotSeen, PLAIN).unwrap();
    render::steps(&mut sink, &run, Writer::NotSeen, PLAIN).unwrap();
    data::show(&mut sink, &run, Writer::NotSeen).unwrap();
    data::steps(&mut sink, &run, Writer::NotSeen).unwrap();
    // Far more than it takes, far less than anything quadratic would.
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}
