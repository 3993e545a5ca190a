-- The role that the server works as. It owns nothing: it cannot change a table, and what is written once, the books and
-- who did what, it can add to and never change or take away. Run after every migration, so that new tables are covered.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'shop_app') THEN
    CREATE ROLE shop_app LOGIN;
  END IF;
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO shop_app', current_database());
END
$$;

GRANT USAGE ON SCHEMA public TO shop_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO shop_app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO shop_app;
REVOKE UPDATE, DELETE, TRUNCATE ON ledger_transaction, ledger_entry, order_event, audit_entry, statement_event, value_move FROM shop_app, PUBLIC;
-- The server reads which migrations there were, and does not start without its own.
GRANT USAGE ON SCHEMA drizzle TO shop_app;
GRANT SELECT ON drizzle.__drizzle_migrations TO shop_app;
-- Databases that once were PostgreSQL 14 let everybody make tables.
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
