//! One look at one page: what the browser says of it, and what a script in a copy of it finds.

use std::{fs, path::PathBuf};

use super::{at, chromium::Chromium, looks::Looks, pages::Page};

/// What was seen.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) faults: Vec<String>,
    pub(super) notes: Vec<String>,
}

/// Opens a page and a copy of it, and takes a picture.
pub(super) fn inspect(chromium: &Chromium, page: &Page, looks: Looks) -> Result<Seen, String> {
    let mut seen = Seen::default();
    if page.is_svg && looks == Looks::Narrow {
        // A picture has one width; whoever shows it scales it.
        return Ok(seen);
    }
    if looks == Looks::Light {
        // What it says and fetches does not change with the looks.
        let opened = chromium.open(&page.file, looks)?;
        seen.faults.extend(opened.console);
        seen.faults.extend(opened.fetched);
        for sign in ["<parsererror", "<title>owned</title>"] {
            if opened.dom.contains(sign) {
                seen.faults.push(format!("the browser's page has {sign}"));
            }
        }
    }
    let copy = copy(page, looks)?;
    let opened = chromium.open(&copy, looks)?;
    seen.faults.extend(opened.console);
    let result = result(&opened.dom);
    let result = result.ok_or_else(|| format!("{}: the check did not end", copy.display()))?;
    for line in result.lines() {
        match line.split_once(": ") {
            Some(("fault", fault)) => seen.faults.push(unescaped(fault)),
            Some((_, note)) => seen.notes.push(unescaped(note)),
            None => {}
        }
    }
    if !page.is_pictured {
        return Ok(seen);
    }
    let shown = match looks {
        Looks::Light | Looks::Dark => page.file.clone(),
        Looks::Narrow => framed(page, &page.file)?,
    };
    let picture = page
        .file
        .with_file_name(format!("{}-{}.png", page.name, looks.name()));
    chromium.picture(&shown, looks, 900, &picture)?;
    Ok(seen)
}

/// Prints a page, for a person to look at.
pub(super) fn print(chromium: &Chromium, page: &Page) -> Result<(), String> {
    let to = page.file.with_file_name(format!("{}.pdf", page.name));
    chromium.print(&page.file, &to)
}

/// Writes a copy of the page with the check in it and returns what to open.
fn copy(page: &Page, looks: Looks) -> Result<PathBuf, String> {
    let text = fs::read_to_string(&page.file).map_err(|error| at(&page.file, &error))?;
    let expected = format!(
        "{{dark: {}, width: {}, rows: {}}}",
        looks.is_dark(),
        looks.width(),
        page.rows
    );
    let check = include_str!("check.js").replace("__EXPECTED__", &expected);
    let check = format!("<script data-check>\n{check}</script>\n");
    let copied = if page.is_svg {
        format!(
            "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><style>body{{margin:0}}</style>\
             <body>{text}{check}</body></html>"
        )
    } else {
        // The page's own policy lets no script run.
        let policy = "default-src 'none';";
        let (head, body) = text
            .split_once(policy)
            .ok_or("the page has no policy against scripts")?;
        let (body, end) = body.rsplit_once("</body>").ok_or("the page does not end")?;
        format!("{head}{policy} script-src 'unsafe-inline';{body}{check}</body>{end}")
    };
    let file = page.file.with_file_name(format!("{}.copy.html", page.name));
    fs::write(&file, copied).map_err(|error| at(&file, &error))?;
    match looks {
        Looks::Light | Looks::Dark => Ok(file),
        Looks::Narrow => framed(page, &file),
    }
}

/// Writes a page that holds another in a frame as wide as a phone, and what that tells it.
fn framed(page: &Page, inner: &std::path::Path) -> Result<PathBuf, String> {
    let name = inner.file_name().unwrap_or_default().to_string_lossy();
    let frame = format!(
        "<!DOCTYPE html><meta charset=\"utf-8\"><style>body{{margin:0}}iframe{{border:0}}</style>\
         <iframe src=\"{name}\" width=\"{}\" height=\"900\"></iframe>\n\
         <script>addEventListener(\"message\", (event) => {{\n\
         const result = document.createElement(\"pre\");\nresult.id = \"result\";\n\
         result.textContent = event.data;\ndocument.body.replaceChildren(result);\n}});</script>\n",
        Looks::Narrow.width()
    );
    let file = page.file.with_file_name(format!("{name}.frame.html"));
    fs::write(&file, frame).map_err(|error| at(&file, &error))?;
    Ok(file)
}

/// Returns what the check left behind.
fn result(dom: &str) -> Option<&str> {
    let (_, rest) = dom.split_once("<pre id=\"result\">")?;
    let (result, _) = rest.split_once("</pre>")?;
    result.ends_with("done").then_some(result)
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}
