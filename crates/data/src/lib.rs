//! Dataset, events, ledger, provenance and their files
