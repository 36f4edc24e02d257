//! The command on a terminal: what a person sees while a plan runs, and what is left when it is over.

mod drawing;
mod ending;
mod resizing;
mod session;
mod window;
