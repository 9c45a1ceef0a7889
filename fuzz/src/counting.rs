//! An allocator that counts what is in use, and its peak, on each thread.
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static USED: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

/// The system's allocator, with a count.
pub struct Counting;

fn note(bytes: isize) {
    // Gone while a thread ends: what is freed then is of no interest.
    let _ = USED.try_with(|used| {
        let (now, peak) = used.get();
        let now = now + bytes;
        used.set((now, peak.max(now)));
    });
}

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size() as isize);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size() as isize);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        note(-(layout.size() as isize));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size as isize - layout.size() as isize);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(at, layout, size) }
    }
}

/// The most that a task had in use at once on this thread, beyond what was in use before, in bytes.
pub fn peak_of<T>(task: impl FnOnce() -> T) -> (T, usize) {
    let before = USED.with(|used| {
        let (now, _) = used.get();
        used.set((now, now));
        now
    });
    let done = task();
    (done, USED.with(|used| (used.get().1 - before).max(0) as usize))
}
