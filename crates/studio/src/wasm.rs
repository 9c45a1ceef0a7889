//! The engine in a worker of the page: memory in, frames out.
use crate::engine::respond;
use std::sync::atomic::AtomicBool;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Takes a frame; its bytes are valid during the call.
    fn frame(kind: u32, at: *const u8, length: usize);
}

/// Room for a request of `length` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    Box::leak(vec![0_u8; length].into_boxed_slice()).as_mut_ptr()
}

/// Answers the request that was written at `at`, and frees its room.
///
/// # Safety
/// `at` comes from [`room`] with the same length, and is used once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn respond_to(at: *mut u8, length: usize) {
    // SAFETY: the box that `room` leaked, by the contract of this function.
    let request = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, length)) };
    // SAFETY: the host copies the bytes before it returns.
    let send = |kind: u8, bytes: &[u8]| unsafe { frame(kind.into(), bytes.as_ptr(), bytes.len()) };
    // A worker is stopped by its end.
    respond(&request, None, &AtomicBool::new(false), &send);
}
