-- An actor speaks for one statement only (SM-3): what a statement without an entry of its own leaves in the
-- parameters is dropped, so that no later change of state goes out under somebody else's name. The name sorts behind
-- `operations_update`, which takes the parameters of the statements that do write an entry.
CREATE FUNCTION operations_forget_actor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.event_actor := NULL;
  NEW.event_evidence := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER operations_update_forget BEFORE UPDATE ON operations
  FOR EACH ROW WHEN (NEW.event_actor IS NOT NULL OR NEW.event_evidence IS NOT NULL)
  EXECUTE FUNCTION operations_forget_actor();

-- What cannot be deleted row by row cannot be emptied either.
CREATE TRIGGER operations_no_truncate BEFORE TRUNCATE ON operations
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER operation_versions_no_truncate BEFORE TRUNCATE ON operation_versions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER read_receipts_no_truncate BEFORE TRUNCATE ON read_receipts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER vault_reads_no_truncate BEFORE TRUNCATE ON vault_reads
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
