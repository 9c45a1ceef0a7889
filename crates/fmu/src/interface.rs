//! The functions that importers call, by the names and types of the header `fmi3Functions.h`.
//!
//! Each catches what may panic: no fault of the program ends that of the importer. What a unit of this kind does not offer
//! answers `fmi3Error`.
use crate::instance::Instance;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::ptr::null_mut;

/// All went well.
pub const OK: c_int = 0;
/// The call failed.
pub const ERROR: c_int = 3;

/// Takes messages.
pub type Log = Option<unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char)>;

/// What an importer holds.
pub struct Handle {
    instance: Instance,
    log: Log,
    environment: *mut c_void,
}

fn say(log: Log, environment: *mut c_void, message: &str) {
    let text = CString::new(message.replace('\0', " ")).unwrap_or_default();
    if let Some(log) = log {
        // SAFETY: the importer's own function and environment; the texts live as long as the call.
        unsafe { log(environment, ERROR, c"logStatusError".as_ptr(), text.as_ptr()) }
    }
}

/// Does something with the instance; what goes wrong is logged.
///
/// # Safety
/// `handle` comes from [`fmi3InstantiateCoSimulation`] and is not freed.
unsafe fn with(handle: *mut c_void, act: impl FnOnce(&mut Instance) -> Result<(), String>) -> c_int {
    // SAFETY: by the contract of this function.
    let Some(handle) = (unsafe { handle.cast::<Handle>().as_mut() }) else { return ERROR };
    let done = catch_unwind(AssertUnwindSafe(|| act(&mut handle.instance)));
    match done.unwrap_or_else(|_| Err("a fault of the program".into())) {
        Ok(()) => OK,
        Err(why) => {
            say(handle.log, handle.environment, &why);
            ERROR
        }
    }
}

/// The version of the standard.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

/// Messages are few: there is nothing to choose.
///
/// # Safety
/// As the standard has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetDebugLogging(_: *mut c_void, _: bool, _: usize, _: *const *const c_char) -> c_int {
    OK
}

/// Makes an instance; null where that fails, with a message.
///
/// # Safety
/// As the standard has it: texts end with zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateCoSimulation(
    _name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: bool,
    _logging: bool,
    _event_mode: bool,
    _early_return: bool,
    _intermediate: *const u32,
    _count: usize,
    environment: *mut c_void,
    log: Log,
    _update: *mut c_void,
) -> *mut c_void {
    let text = |at: *const c_char| match at.is_null() {
        true => String::new(),
        // SAFETY: by the contract of this function.
        false => unsafe { CStr::from_ptr(at) }.to_string_lossy().into_owned(),
    };
    let (token, resources) = (text(token), text(resources));
    let made = catch_unwind(|| Instance::new(Path::new(&resources), &token));
    match made.unwrap_or_else(|_| Err("a fault of the program".into())) {
        Ok(instance) => Box::into_raw(Box::new(Handle { instance, log, environment })).cast(),
        Err(why) => {
            say(log, environment, &why);
            null_mut()
        }
    }
}

/// Frees an instance.
///
/// # Safety
/// As the standard has it: once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeInstance(handle: *mut c_void) {
    if !handle.is_null() {
        // SAFETY: made by `fmi3InstantiateCoSimulation`.
        drop(unsafe { Box::from_raw(handle.cast::<Handle>()) });
    }
}

/// The importer sets parameters next.
///
/// # Safety
/// As the standard has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3EnterInitializationMode(
    handle: *mut c_void,
    _tolerance_defined: bool,
    _tolerance: f64,
    start: f64,
    _stop_defined: bool,
    _stop: f64,
) -> c_int {
    // SAFETY: by the contract of this function; so in all that follow.
    unsafe { with(handle, |i| i.start_at(start)) }
}

/// The motion begins.
///
/// # Safety
/// As the standard has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3ExitInitializationMode(handle: *mut c_void) -> c_int {
    // SAFETY: as above.
    unsafe { with(handle, Instance::begin) }
}

/// The motion is over.
///
/// # Safety
/// As the standard has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3Terminate(_: *mut c_void) -> c_int {
    OK
}

/// Back to before the start.
///
/// # Safety
/// As the standard has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3Reset(handle: *mut c_void) -> c_int {
    // SAFETY: as above.
    unsafe {
        with(handle, |i| {
            i.reset();
            Ok(())
        })
    }
}

/// Gets numbers.
///
/// # Safety
/// As the standard has it: lists of these lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFloat64(
    handle: *mut c_void,
    references: *const u32,
    count: usize,
    values: *mut f64,
    _: usize,
) -> c_int {
    // SAFETY: as above.
    unsafe {
        with(handle, |i| {
            (0..count).try_for_each(|k| {
                *values.add(k) = i.get(*references.add(k), false)?;
                Ok(())
            })
        })
    }
}

/// Gets modes.
///
/// # Safety
/// As the standard has it: lists of these lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetInt32(
    handle: *mut c_void,
    references: *const u32,
    count: usize,
    values: *mut i32,
    _: usize,
) -> c_int {
    // SAFETY: as above.
    unsafe {
        with(handle, |i| {
            (0..count).try_for_each(|k| {
                *values.add(k) = i.get(*references.add(k), true)? as i32;
                Ok(())
            })
        })
    }
}

/// Sets parameters.
///
/// # Safety
/// As the standard has it: lists of these lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFloat64(
    handle: *mut c_void,
    references: *const u32,
    count: usize,
    values: *const f64,
    _: usize,
) -> c_int {
    // SAFETY: as above.
    unsafe { with(handle, |i| (0..count).try_for_each(|k| i.put(*references.add(k), *values.add(k)))) }
}

/// Steps. Events inside a step happen at their own times: the importer need not handle them.
///
/// # Safety
/// As the standard has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DoStep(
    handle: *mut c_void,
    t: f64,
    h: f64,
    _no_set_state: bool,
    event_needed: *mut bool,
    terminate: *mut bool,
    early_return: *mut bool,
    last: *mut f64,
) -> c_int {
    // SAFETY: as above.
    unsafe {
        for flag in [event_needed, terminate, early_return] {
            if !flag.is_null() {
                *flag = false;
            }
        }
        let done = with(handle, |i| i.step(t, h));
        if !last.is_null() {
            *last = if done == OK { t + h } else { t };
        }
        done
    }
}

/// Keeps the state of an instance.
///
/// # Safety
/// As the standard has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFMUState(handle: *mut c_void, state: *mut *mut c_void) -> c_int {
    // SAFETY: as above; a state that is given is replaced.
    unsafe {
        with(handle, |i| {
            fmi3FreeFMUState(null_mut(), state);
            *state = Box::into_raw(Box::new(i.clone())).cast();
            Ok(())
        })
    }
}

/// Goes back to a state.
///
/// # Safety
/// As the standard has it: a state of [`fmi3GetFMUState`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFMUState(handle: *mut c_void, state: *mut c_void) -> c_int {
    // SAFETY: as above.
    unsafe {
        with(handle, |i| {
            i.clone_from(state.cast::<Instance>().as_ref().ok_or("no state")?);
            Ok(())
        })
    }
}

/// Frees a state.
///
/// # Safety
/// As the standard has it: a state of [`fmi3GetFMUState`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeFMUState(_: *mut c_void, state: *mut *mut c_void) -> c_int {
    // SAFETY: as above.
    unsafe {
        if !state.is_null() && !(*state).is_null() {
            drop(Box::from_raw((*state).cast::<Instance>()));
            *state = null_mut();
        }
    }
    OK
}

/// Functions that every library has and that a unit without such variables or modes does not offer.
macro_rules! not_offered {
    ($($name:ident)*) => { $(
        /// Not offered.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name() -> c_int {
            ERROR
        }
    )* };
}

not_offered! {
    fmi3EnterEventMode fmi3EnterStepMode fmi3EnterConfigurationMode fmi3ExitConfigurationMode fmi3UpdateDiscreteStates
    fmi3EvaluateDiscreteStates fmi3GetFloat32 fmi3GetInt8 fmi3GetUInt8 fmi3GetInt16 fmi3GetUInt16 fmi3GetUInt32 fmi3GetInt64
    fmi3GetUInt64 fmi3GetBoolean fmi3GetString fmi3GetBinary fmi3GetClock fmi3SetFloat32 fmi3SetInt8 fmi3SetUInt8
    fmi3SetInt16 fmi3SetUInt16 fmi3SetInt32 fmi3SetUInt32 fmi3SetInt64 fmi3SetUInt64 fmi3SetBoolean fmi3SetString
    fmi3SetBinary fmi3SetClock fmi3GetNumberOfVariableDependencies fmi3GetVariableDependencies fmi3SerializedFMUStateSize
    fmi3SerializeFMUState fmi3DeserializeFMUState fmi3GetDirectionalDerivative fmi3GetAdjointDerivative
    fmi3GetOutputDerivatives fmi3GetIntervalDecimal fmi3GetIntervalFraction fmi3GetShiftDecimal fmi3GetShiftFraction
    fmi3SetIntervalDecimal fmi3SetIntervalFraction fmi3SetShiftDecimal fmi3SetShiftFraction fmi3EnterContinuousTimeMode
    fmi3CompletedIntegratorStep fmi3SetTime fmi3SetContinuousStates fmi3GetContinuousStateDerivatives
    fmi3GetEventIndicators fmi3GetContinuousStates fmi3GetNominalsOfContinuousStates fmi3GetNumberOfEventIndicators
    fmi3GetNumberOfContinuousStates fmi3ActivateModelPartition
}

/// Makes no instance: units of this kind are for co-simulation.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3InstantiateModelExchange() -> *mut c_void {
    null_mut()
}

/// Makes no instance: units of this kind are for co-simulation.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3InstantiateScheduledExecution() -> *mut c_void {
    null_mut()
}
