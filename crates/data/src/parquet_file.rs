//! Tables as Parquet files.
//!
//! Every column is required: `Float` is DOUBLE, `Int` is INT64, `Text` is UTF8. Units stand in the file's metadata
//! as `unit.<column>`. Nothing in a file depends on when or where it was written: same table, same bytes.

use crate::{Column, DataError, Table, Values, Word};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type};
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Rows in a row group; a reader can skip or hold one at a time.
const GROUP: usize = 1 << 20;

const UNIT: &str = "unit.";

/// Writes a table with its units and the given metadata.
pub fn write_parquet(table: &Table, path: &Path, metadata: &[(String, String)]) -> Result<(), DataError> {
    table.check()?;
    let file = File::create(path).map_err(DataError::io(path))?;
    write_groups(table, file, metadata, GROUP).map_err(DataError::parquet(path))
}

fn write_groups(table: &Table, file: File, metadata: &[(String, String)], group: usize) -> ParquetResult<()> {
    let units = table.columns.iter().map(|c| (format!("{UNIT}{}", c.name), c.unit.clone()));
    let pairs = metadata.iter().cloned().chain(units).map(|(k, v)| KeyValue::new(k, v)).collect();
    let mut properties =
        WriterProperties::builder().set_compression(Compression::SNAPPY).set_key_value_metadata(Some(pairs));
    for column in &table.columns {
        // A trajectory hardly repeats a number: a dictionary would only be built and thrown away.
        if matches!(column.values, Values::Float(_)) {
            properties = properties.set_column_dictionary_enabled(ColumnPath::new(vec![column.name.clone()]), false);
        }
    }
    let fields = table.columns.iter().map(field).collect::<ParquetResult<Vec<_>>>()?;
    let schema = Type::group_type_builder("table").with_fields(fields).build()?;

    let mut writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties.build()))?;
    for first in (0..table.len()).step_by(group) {
        let rows = first..table.len().min(first + group);
        let mut out = writer.next_row_group()?;
        for column in &table.columns {
            let mut sink = out.next_column()?.ok_or_else(|| ParquetError::General("a column too many".into()))?;
            match &column.values {
                Values::Float(v) => sink.typed::<DoubleType>().write_batch(&v[rows.clone()], None, None)?,
                Values::Int(v) => sink.typed::<Int64Type>().write_batch(&v[rows.clone()], None, None)?,
                Values::Text(v) => sink.typed::<ByteArrayType>().write_batch(&bytes(v, rows.clone()), None, None)?,
                Values::Coded { codes, words } => {
                    let words: Vec<ByteArray> = words.iter().map(|w| ByteArray::from(w.as_ref())).collect();
                    let rows: Vec<ByteArray> = codes[rows.clone()].iter().map(|c| words[*c as usize].clone()).collect();
                    sink.typed::<ByteArrayType>().write_batch(&rows, None, None)?
                }
            };
            sink.close()?;
        }
        out.close()?;
    }
    writer.close()?;
    Ok(())
}

fn field(column: &Column) -> ParquetResult<Arc<Type>> {
    let (physical, logical) = match column.values {
        Values::Float(_) => (Physical::DOUBLE, None),
        Values::Int(_) => (Physical::INT64, None),
        Values::Text(_) | Values::Coded { .. } => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let builder = Type::primitive_type_builder(&column.name, physical);
    Ok(Arc::new(builder.with_repetition(Repetition::REQUIRED).with_logical_type(logical).build()?))
}

fn bytes(texts: &[Word], rows: Range<usize>) -> Vec<ByteArray> {
    texts[rows].iter().map(|s| ByteArray::from(s.as_ref())).collect()
}

/// Reads a file of [`write_parquet`] back: the table, named after the file, and the metadata without the units.
pub fn read_parquet(path: &Path) -> Result<(Table, Vec<(String, String)>), DataError> {
    let file = File::open(path).map_err(DataError::io(path))?;
    let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    read(file, name).map_err(DataError::parquet(path))
}

fn read(file: File, name: String) -> ParquetResult<(Table, Vec<(String, String)>)> {
    let reader = SerializedFileReader::new(file)?;
    let about = reader.metadata().file_metadata();
    let (mut units, mut metadata) = (Vec::new(), Vec::new());
    for pair in about.key_value_metadata().into_iter().flatten() {
        let value = pair.value.clone().unwrap_or_default();
        match pair.key.strip_prefix(UNIT) {
            Some(column) => units.push((column.to_owned(), value)),
            None => metadata.push((pair.key.clone(), value)),
        }
    }

    let mut table = Table::new(name);
    for (i, column) in about.schema_descr().columns().iter().enumerate() {
        if column.max_def_level() > 0 || column.max_rep_level() > 0 {
            return Err(ParquetError::General(format!("column `{}` is optional or repeated", column.name())));
        }
        let mut values = match column.physical_type() {
            Physical::DOUBLE => Values::Float(Vec::new()),
            Physical::INT64 => Values::Int(Vec::new()),
            Physical::BYTE_ARRAY => Values::Text(Vec::new()),
            other => return Err(ParquetError::General(format!("column `{}` is of type {other}", column.name()))),
        };
        for group in 0..reader.num_row_groups() {
            let source = reader.get_row_group(group)?;
            let rows = usize::try_from(source.metadata().num_rows())
                .map_err(|_| ParquetError::General("a row group of negative length".into()))?;
            append(&mut values, source.get_column_reader(i)?, rows)?;
        }
        let unit = units.iter().find(|(c, _)| c == column.name()).map(|(_, u)| u.clone()).unwrap_or_default();
        table.push(column.name(), unit, values);
    }
    Ok((table, metadata))
}

fn append(values: &mut Values, source: ColumnReader, rows: usize) -> ParquetResult<()> {
    match (values, source) {
        (Values::Float(v), ColumnReader::DoubleColumnReader(r)) => v.extend(all(r, rows)?),
        (Values::Int(v), ColumnReader::Int64ColumnReader(r)) => v.extend(all(r, rows)?),
        (Values::Text(v), ColumnReader::ByteArrayColumnReader(r)) => {
            for text in all(r, rows)? {
                v.push(text.as_utf8()?.to_owned().into());
            }
        }
        _ => return Err(ParquetError::General("a column changes its type".into())),
    }
    Ok(())
}

fn all<T: DataType>(mut source: ColumnReaderImpl<T>, rows: usize) -> ParquetResult<Vec<T::T>> {
    let mut out = Vec::new();
    while out.len() < rows {
        let (read, ..) = source.read_records(rows - out.len(), None, None, &mut out)?;
        if read == 0 {
            return Err(ParquetError::EOF("a row group ends early".into()));
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_row_groups_read_back_as_one_table() {
        let path = std::env::temp_dir().join(format!("stickslip-groups-{}.parquet", std::process::id()));
        let mut table = Table::new("groups");
        table.push("t", "s", (0..10).map(f64::from).collect::<Vec<_>>());
        table.push("mode", "", (0..10).map(|i| format!("m{}", i % 3)).collect::<Vec<_>>());
        write_groups(&table, File::create(&path).unwrap(), &[], 4).unwrap();
        let groups = SerializedFileReader::new(File::open(&path).unwrap()).unwrap().num_row_groups();
        let (back, _) = read_parquet(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(groups, 3);
        assert_eq!(back.columns, table.columns);
    }
}
