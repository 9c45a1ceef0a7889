//! What can go wrong between a dataset and its files.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why data could not be written or read.
#[derive(Debug)]
pub enum DataError {
    /// The operating system refused.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The Parquet library refused.
    Parquet {
        /// The file.
        path: PathBuf,
        /// What the library said.
        message: String,
    },
    /// Columns of one table differ in length.
    Ragged {
        /// The table.
        table: String,
        /// The first column that differs.
        column: String,
        /// Rows of the first column.
        expected: usize,
        /// Rows of this column.
        found: usize,
    },
    /// Two columns of one table share a name.
    DuplicateColumn {
        /// The table.
        table: String,
        /// The name.
        column: String,
    },
    /// A table without columns has no place in a file.
    NoColumns {
        /// The table.
        table: String,
    },
    /// An event has another number of coordinates or rates than its outcome names.
    EventShape {
        /// Time of the event (s).
        t: f64,
        /// Which list.
        list: &'static str,
        /// Number of named coordinates.
        expected: usize,
        /// Number of values in the event.
        found: usize,
    },
    /// The folder holds files that no run made.
    ForeignFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// Something that is not a folder stands in the place of the folder.
    NotAFolder {
        /// The path.
        path: PathBuf,
    },
    /// Another run is at work in the folder.
    InUse {
        /// The folder.
        folder: PathBuf,
    },
    /// The record of a map can't be read.
    BadManifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// A folder that is to be merged holds no points of a map.
    NoPoints {
        /// The folder.
        folder: PathBuf,
    },
    /// A folder that is to be merged holds points of another map, or of another version of the program.
    ForeignPoints {
        /// The folder.
        folder: PathBuf,
    },
    /// A file name leads out of the folder or is taken.
    BadName {
        /// The name.
        name: String,
    },
}

impl DataError {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> DataError + '_ {
        move |source| DataError::Io { path: path.to_owned(), source }
    }

    pub(crate) fn parquet(path: &Path) -> impl Fn(parquet::errors::ParquetError) -> DataError + '_ {
        move |e| DataError::Parquet { path: path.to_owned(), message: e.to_string() }
    }

    /// A stable name of the kind of error, for diagnostics.
    pub fn code(&self) -> &'static str {
        match self {
            DataError::Io { .. } => "data::io",
            DataError::Parquet { .. } => "data::parquet",
            DataError::Ragged { .. } => "data::ragged-table",
            DataError::DuplicateColumn { .. } => "data::duplicate-column",
            DataError::NoColumns { .. } => "data::no-columns",
            DataError::EventShape { .. } => "data::event-shape",
            DataError::ForeignFolder { .. } => "data::foreign-folder",
            DataError::NotAFolder { .. } => "data::not-a-folder",
            DataError::InUse { .. } => "data::in-use",
            DataError::BadManifest { .. } => "data::bad-manifest",
            DataError::NoPoints { .. } => "data::no-points",
            DataError::ForeignPoints { .. } => "data::foreign-points",
            DataError::BadName { .. } => "data::bad-name",
        }
    }

    /// What the user can do about it, where there is something.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            DataError::ForeignFolder { .. } => Some("choose another folder, or empty this one yourself"),
            DataError::NotAFolder { .. } => Some("choose another folder"),
            DataError::InUse { .. } => Some("wait for it, or choose another folder with --out"),
            DataError::BadManifest { .. } => Some("remove the folder, and run the scenario again"),
            DataError::NoPoints { .. } => Some("give the folders of `stickslip run MAP --shard i/n`"),
            DataError::ForeignPoints { .. } => Some("leave it out, or run its shard of this map again"),
            _ => None,
        }
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataError::Io { path, source } => write!(f, "`{}`: {source}", path.display()),
            DataError::Parquet { path, message } => write!(f, "`{}`: {message}", path.display()),
            DataError::Ragged { table, column, expected, found } => {
                write!(f, "table `{table}`: column `{column}` has {found} rows, the first column has {expected}")
            }
            DataError::DuplicateColumn { table, column } => {
                write!(f, "table `{table}` has two columns named `{column}`")
            }
            DataError::NoColumns { table } => write!(f, "table `{table}` has no columns"),
            DataError::EventShape { t, list, expected, found } => {
                write!(f, "the event at t = {t} s has {found} values in `{list}`, expected {expected}")
            }
            DataError::ForeignFolder { folder } => {
                write!(f, "`{}` is not empty and was not made by an earlier run", folder.display())
            }
            DataError::NotAFolder { path } => write!(f, "`{}` exists and is not a folder", path.display()),
            DataError::InUse { folder } => write!(f, "another run is at work in `{}`", folder.display()),
            DataError::BadManifest { path, message } => write!(f, "`{}`: {message}", path.display()),
            DataError::NoPoints { folder } => write!(f, "`{}` holds no points of a map", folder.display()),
            DataError::ForeignPoints { folder } => {
                write!(f, "`{}` holds points of another map than the folders before it", folder.display())
            }
            DataError::BadName { name } => write!(f, "`{name}` cannot name a file of the result"),
        }
    }
}

impl std::error::Error for DataError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            DataError::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
