//! Shells, and what is built into them.

use super::{super::arg::Arg, Act, Destination, prefix::joined};
use crate::gate::shown;

/// Reads a builtin that moves, or that runs a script.
pub(super) fn read(name: &str, args: &[Arg], acts: &mut Vec<Act>) {
    let mut operands = args.iter().skip_while(|arg| {
        let text = arg.as_str();
        text.len() > 1 && text.starts_with('-') && !text.starts_with("-/")
    });
    match name {
        "eval" => acts.push(Act::Eval {
            text: joined(args.strip_prefix(&[Arg::plain("--")]).unwrap_or(args)),
        }),
        "trap" => acts.extend(operands.next().map(|text| Act::Eval { text: text.clone() })),
        "popd" => acts.push(Act::Cd(Destination::Back)),
        _ => acts.push(Act::Cd(match operands.next() {
            None if name == "pushd" => Destination::Back,
            None => Destination::Home,
            Some(dash) if dash.as_str() == "-" => Destination::Back,
            Some(rotation) if name == "pushd" && rotation.as_str().starts_with('+') => {
                Destination::Back
            }
            Some(directory) => Destination::To(directory.clone()),
        })),
    }
}

/// Reads the arguments of a shell.
pub(super) fn shell(name: &str, args: &[Arg], acts: &mut Vec<Act>) {
    if let Some(index) = shown::script_index(name, args.iter().map(Arg::as_str)) {
        if let Some(script) = args.get(index) {
            let text = script.after("--command=").unwrap_or_else(|| script.clone());
            acts.push(Act::Script {
                text,
                parameters: args[index + 1..].to_vec(),
            });
        }
        return;
    }
    let reads_input = args.iter().all(|arg| {
        let text = arg.as_str();
        text.starts_with(['-', '+'])
    }) || args.iter().any(|arg| arg.as_str() == "-s");
    if reads_input {
        acts.push(Act::ScriptFromInput);
    }
}
