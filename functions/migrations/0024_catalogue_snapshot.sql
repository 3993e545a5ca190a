-- Whoever writes what the catalogue is read from raises its version, once in a transaction, before they lock a row: so all
-- of them wait for each other in the same place. The tables are those of `PARTS` in functions/src/catalogue/snapshot.ts.
CREATE FUNCTION raise_catalogue_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE public.catalogue_version SET version = version + 1 WHERE xmin <> pg_current_xact_id()::xid;
  RETURN NULL;
END
$$;
--> statement-breakpoint
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['option', 'terms', 'game', 'delivery_time', 'game_tag', 'package', 'package_price', 'discount',
    'agent_tier', 'payment_method', 'receiving_account', 'banner']
  LOOP
    EXECUTE format('CREATE TRIGGER raise_catalogue_version BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON %I
      FOR EACH STATEMENT EXECUTE FUNCTION raise_catalogue_version()', name);
  END LOOP;
END
$$;
