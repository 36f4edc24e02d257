//! That evaluating allocates nothing.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    hint::black_box,
};

use plan_cond::parse;

/// The system's allocator, counting what each thread asks of it.
struct Counting;

thread_local! {
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[expect(unsafe_code, reason = "an allocator can be written in no other way")]
// SAFETY: every call is handed to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ASKED.set(ASKED.get() + 1);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ASKED.set(ASKED.get() + 1);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(memory, layout, size) }
    }
}

fn allocations(work: impl FnOnce()) -> u64 {
    let before = ASKED.get();
    work();
    ASKED.get() - before
}

/// decision: a condition is evaluated without allocating.
#[test]
fn evaluating_allocates_nothing() {
    let text = "($a.status == 'failed' || $b.output > \"m\") && $c.status != 'x' && ('a' < 'b' || $d.status == $e.status)";
    let cond = parse(text).unwrap().unwrap();
    for value in ["failed", "x", "", "zzz"] {
        let asked = allocations(|| {
            black_box(cond.eval(&mut |_| Ok::<_, ()>(value))).unwrap();
            black_box(cond.eval(&mut |_| Err::<&str, _>(()))).unwrap_err();
            cond.each_reference(&mut |reference, _| {
                black_box(reference);
            });
        });
        assert_eq!(asked, 0, "{value}");
    }
}

/// The test above means something only while the count works.
///
/// decision: a condition is evaluated without allocating.
#[test]
fn parsing_allocates_only_what_the_tree_holds() {
    let literal = allocations(|| drop(black_box(parse("$a.status == 'failed'"))));
    assert_eq!(literal, 1);
    let references = allocations(|| drop(black_box(parse("(($a.status == $b.status))"))));
    assert_eq!(references, 0);
}
