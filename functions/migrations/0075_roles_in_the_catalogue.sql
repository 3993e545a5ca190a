-- The catalogue tells who is more than a customer: whoever gives or takes a role raises its version, once in a transaction.
-- Who signs up or in does not: a new customer changes nothing of it.
CREATE TRIGGER "raise_catalogue_version" AFTER UPDATE OF "role" ON "account" FOR EACH ROW WHEN (OLD.role <> NEW.role)
  EXECUTE FUNCTION raise_catalogue_version();
--> statement-breakpoint
CREATE TRIGGER "raise_catalogue_version_added" AFTER INSERT ON "account" FOR EACH ROW WHEN (NEW.role <> 'customer')
  EXECUTE FUNCTION raise_catalogue_version();
--> statement-breakpoint
CREATE TRIGGER "raise_catalogue_version_gone" AFTER DELETE ON "account" FOR EACH ROW WHEN (OLD.role <> 'customer')
  EXECUTE FUNCTION raise_catalogue_version();
