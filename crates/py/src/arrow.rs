//! Tables through the C interface of Arrow: a stream of one batch, whose numbers stay where they are.
//!
//! The structs and their ownership are those of the Arrow C data and C stream interfaces,
//! <https://arrow.apache.org/docs/format/CDataInterface.html>.
use crate::columns::Table;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use stickslip::data::Values;

#[repr(C)]
pub struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

#[repr(C)]
pub struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

/// A stream of batches.
#[repr(C)]
pub struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

// SAFETY: what it points to is a `Source`, which is `Send`.
unsafe impl Send for Stream {}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: nobody has taken the stream over: then `release` would be none.
            unsafe { release(self) }
        }
    }
}

/// What a stream holds.
struct Source {
    table: Table,
    done: bool,
}

/// A table as a stream.
pub fn stream(table: Table) -> Stream {
    let source = Box::new(Source { table, done: false });
    Stream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release_stream),
        private_data: Box::into_raw(source).cast(),
    }
}

unsafe extern "C" fn release_stream(stream: *mut Stream) {
    // SAFETY: the caller hands over a stream made by `stream`, once: `release` is set to none.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Source>()));
        (*stream).release = None;
        (*stream).private_data = null_mut();
    }
}

unsafe extern "C" fn get_last_error(_: *mut Stream) -> *const c_char {
    null()
}

unsafe extern "C" fn get_schema(stream: *mut Stream, out: *mut Schema) -> c_int {
    // SAFETY: a stream made by `stream` and not yet released; `out` is room for a schema.
    unsafe {
        let source = &*(*stream).private_data.cast::<Source>();
        out.write(table_schema(&source.table));
    }
    0
}

unsafe extern "C" fn get_next(stream: *mut Stream, out: *mut Array) -> c_int {
    // SAFETY: as above; an array without `release` says that there are no more.
    unsafe {
        let source = &mut *(*stream).private_data.cast::<Source>();
        out.write(if source.done { empty() } else { table_array(&source.table) });
        source.done = true;
    }
    0
}

/// What a schema points to.
struct SchemaParts {
    _format: CString,
    _name: CString,
    _metadata: Vec<u8>,
    children: Vec<*mut Schema>,
}

fn schema(format: &str, name: &str, metadata: Vec<u8>, children: Vec<Schema>) -> Schema {
    let text = |s: &str| CString::new(s.replace('\0', "")).unwrap_or_default();
    let children = children.into_iter().map(|c| Box::into_raw(Box::new(c))).collect();
    let (format, name) = (text(format), text(name));
    let (format_at, name_at) = (format.as_ptr(), name.as_ptr());
    let metadata_at = if metadata.is_empty() { null() } else { metadata.as_ptr().cast() };
    let mut parts = Box::new(SchemaParts { _format: format, _name: name, _metadata: metadata, children });
    Schema {
        format: format_at,
        name: name_at,
        metadata: metadata_at,
        flags: 0,
        n_children: parts.children.len() as i64,
        children: parts.children.as_mut_ptr(),
        dictionary: null_mut(),
        release: Some(release_schema),
        private_data: Box::into_raw(parts).cast(),
    }
}

unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: a schema made by `schema`, released once; a child whose `release` is none was moved away by its consumer.
    unsafe {
        let parts = Box::from_raw((*schema).private_data.cast::<SchemaParts>());
        for child in &parts.children {
            if let Some(release) = (**child).release {
                release(*child);
            }
            drop(Box::from_raw(*child));
        }
        (*schema).release = None;
    }
}

fn table_schema(table: &Table) -> Schema {
    let field = |c: &stickslip::data::Column| {
        let format = match c.values {
            Values::Float(_) => "g",
            Values::Int(_) => "l",
            Values::Text(_) | Values::Coded { .. } => "u",
        };
        schema(format, &c.name, pairs(&[("unit", &c.unit)]), vec![])
    };
    schema("+s", "", vec![], table.get().columns.iter().map(field).collect())
}

/// Metadata: the number of pairs, then length and bytes of each key and value, in the order of bytes of this machine.
fn pairs(all: &[(&str, &str)]) -> Vec<u8> {
    let mut out = (all.len() as i32).to_ne_bytes().to_vec();
    for text in all.iter().flat_map(|(key, value)| [key, value]) {
        out.extend((text.len() as i32).to_ne_bytes());
        out.extend(text.as_bytes());
    }
    out
}

/// What an array points to.
struct ArrayParts {
    /// Holds numbers in place.
    _table: Option<Table>,
    _offsets: Vec<i32>,
    _bytes: Vec<u8>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut Array>,
}

fn empty() -> Array {
    Array {
        length: 0,
        null_count: 0,
        offset: 0,
        n_buffers: 0,
        n_children: 0,
        buffers: null_mut(),
        children: null_mut(),
        dictionary: null_mut(),
        release: None,
        private_data: null_mut(),
    }
}

fn array(length: usize, parts: ArrayParts) -> Array {
    let mut parts = Box::new(parts);
    Array {
        length: length as i64,
        n_buffers: parts.buffers.len() as i64,
        n_children: parts.children.len() as i64,
        buffers: parts.buffers.as_mut_ptr(),
        children: parts.children.as_mut_ptr(),
        release: Some(release_array),
        private_data: Box::into_raw(parts).cast(),
        ..empty()
    }
}

unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: an array made by `array`, released once; a child whose `release` is none was moved away by its consumer.
    unsafe {
        let parts = Box::from_raw((*array).private_data.cast::<ArrayParts>());
        for child in &parts.children {
            if let Some(release) = (**child).release {
                release(*child);
            }
            drop(Box::from_raw(*child));
        }
        (*array).release = None;
    }
}

fn table_array(table: &Table) -> Array {
    let count = table.get().len();
    let child = |c: &stickslip::data::Column| Box::into_raw(Box::new(column(table, &c.values)));
    let children = table.get().columns.iter().map(child).collect();
    let parts = ArrayParts { _table: None, _offsets: vec![], _bytes: vec![], buffers: vec![null()], children };
    array(count, parts)
}

fn column(table: &Table, values: &Values) -> Array {
    let numbers = |at: *const c_void| ArrayParts {
        _table: Some(table.clone()),
        _offsets: vec![],
        _bytes: vec![],
        buffers: vec![null(), at],
        children: vec![],
    };
    match values {
        Values::Float(v) => array(v.len(), numbers(v.as_ptr().cast())),
        Values::Int(v) => array(v.len(), numbers(v.as_ptr().cast())),
        Values::Text(_) | Values::Coded { .. } => words(&values.texts().unwrap_or_default()),
    }
}

fn words(list: &[stickslip::data::Word]) -> Array {
    let (mut offsets, mut bytes) = (vec![0i32], Vec::<u8>::new());
    for word in list {
        bytes.extend(word.as_bytes());
        offsets.push(bytes.len() as i32);
    }
    let buffers = vec![null(), offsets.as_ptr().cast(), bytes.as_ptr().cast()];
    array(list.len(), ArrayParts { _table: None, _offsets: offsets, _bytes: bytes, buffers, children: vec![] })
}
