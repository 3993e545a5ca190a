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

-- Erasing a person from what is written once. The amounts, moments, kinds and what they are about stay; the person's id
-- becomes that of the stand-in, `erased:<request>`, and free words about their things go. Only the database's owner may
-- call this one.
CREATE OR REPLACE FUNCTION erase_from_written_once(request uuid, uids text[], keys text[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  stand_in text := 'erased:' || request;
  own_orders uuid[] := ARRAY(SELECT id FROM orders WHERE buyer_key = ANY(keys));
  own_wallets uuid[] := ARRAY(SELECT id FROM wallet WHERE uid = ANY(uids));
  own_top_ups uuid[] := ARRAY(SELECT id FROM top_up WHERE wallet_id = ANY(own_wallets));
  own_lines uuid[] := ARRAY(SELECT id FROM statement_line WHERE order_id = ANY(own_orders)
    UNION SELECT id FROM statement_line WHERE top_up_id = ANY(own_top_ups)
    UNION SELECT id FROM statement_line WHERE cardinality(own_wallets) > 0 AND wallet_id = ANY(own_wallets));
  own_refunds uuid[] := ARRAY(SELECT id FROM owed_refund WHERE order_id = ANY(own_orders) OR line_id = ANY(own_lines)
    OR from_credit_id IN (SELECT id FROM credit WHERE uid = ANY(uids)));
  things uuid[] := own_orders || own_wallets || own_top_ups || own_lines || own_refunds;
  subjects text[] := ARRAY(SELECT 'account:' || uid FROM unnest(uids) AS u(uid)
    UNION ALL SELECT 'order:' || order_no FROM orders WHERE id = ANY(own_orders)
    UNION ALL SELECT 'apiKey:' || id FROM reseller_key WHERE uid = ANY(uids)
    UNION ALL SELECT noun || id FROM unnest(things) AS t(id), unnest(ARRAY['topUp:', 'statementLine:', 'owedRefund:']) AS n(noun));
  -- What a second person was told, before the question itself was swept away.
  asked text[] := ARRAY(SELECT 'secondWord:' || word_id FROM value_move WHERE subject = ANY(subjects) AND word_id IS NOT NULL
    UNION SELECT 'secondWord:' || id FROM second_word WHERE owners && keys OR subject = ANY(subjects) OR asked_by = ANY(uids));
  words text[] := ARRAY(SELECT word FROM account a LEFT JOIN agent_bank b USING (uid) LEFT JOIN linked_identity l USING (uid),
    unnest(ARRAY[a.uid, a.email, a.phone, nullif(a.given_name, '') || ' ' || nullif(a.family_name, ''), b.bank_account, l.subject]) AS w(word)
    WHERE a.uid = ANY(uids) AND length(word) > 5);
  was_staff boolean := EXISTS (SELECT FROM audit_entry WHERE actor_uid = ANY(uids) AND actor_role NOT IN ('customer', 'agent', 'guest'))
    OR EXISTS (SELECT FROM value_move WHERE actor_uid = ANY(uids));
BEGIN
  UPDATE audit_entry SET subject = CASE WHEN subject LIKE 'account:%' THEN 'account:' || stand_in ELSE subject END,
      before = erase_words(before), after = erase_words(after)
    WHERE subject = ANY(subjects || asked);
  UPDATE audit_entry e SET before = erase_words(before), after = erase_words(after)
    WHERE action IN ('value.give', 'value.refuse') AND EXISTS (SELECT FROM unnest(words) AS w(word) WHERE strpos(e.after::text, word) > 0);
  UPDATE audit_entry SET actor_uid = stand_in WHERE actor_uid = ANY(uids);
  UPDATE order_event SET reason = NULL, actor_uid = CASE WHEN actor_uid = ANY(uids) THEN stand_in ELSE actor_uid END
    WHERE order_id = ANY(own_orders);
  -- Somebody who has the link of another one's order acts on it under their own name.
  UPDATE order_event e SET actor_uid = stand_in FROM (SELECT order_id, version FROM order_event WHERE actor_uid = ANY(uids)) AS n
    WHERE e.order_id = n.order_id AND e.version = n.version;
  UPDATE ledger_transaction SET reason = NULL WHERE subject_id = ANY(things) AND reason IS NOT NULL;
  UPDATE statement_event SET reason = NULL WHERE line_id = ANY(own_lines) AND reason IS NOT NULL;
  UPDATE value_move SET note = '', subject = CASE WHEN subject LIKE 'account:%' THEN 'account:' || stand_in ELSE subject END
    WHERE subject = ANY(subjects);
  IF was_staff THEN
    UPDATE statement_event SET actor_uid = stand_in WHERE actor_uid = ANY(uids);
    UPDATE value_move SET actor_uid = CASE WHEN actor_uid = ANY(uids) THEN stand_in ELSE actor_uid END,
        second_uid = CASE WHEN second_uid = ANY(uids) THEN stand_in ELSE second_uid END
      WHERE actor_uid = ANY(uids) OR second_uid = ANY(uids);
    UPDATE audit_entry e SET before = erase_words(before), after = erase_words(after)
      WHERE EXISTS (SELECT FROM unnest(words) AS w(word) WHERE strpos(coalesce(e.before::text, '') || coalesce(e.after::text, ''), word) > 0);
  END IF;
END
$$;

-- One side of an audit entry without words: numbers, switches and words of the code stay.
CREATE OR REPLACE FUNCTION erase_words(side jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE SET search_path = pg_catalog AS $$
  SELECT CASE WHEN jsonb_typeof(side) = 'object' THEN
    (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(side)
      WHERE jsonb_typeof(value) IN ('number', 'boolean', 'null') OR key IN ('role', 'status', 'orderStatus', 'state', 'kind', 'step')) END
$$;

-- The one way in which the server itself may erase: for an account whose owner asked, that two people approved (or one
-- admin alone, where there is no other), and with which nothing is open. Each use is recorded by the function, so that
-- no use of it goes unseen.
CREATE OR REPLACE FUNCTION erase_written_once(request uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  asked erasure%ROWTYPE;
  approval value_move%ROWTYPE;
  keys text[];
BEGIN
  SELECT * INTO asked FROM erasure WHERE id = request FOR UPDATE;
  IF asked.state IS DISTINCT FROM 'approved' OR cardinality(asked.uids) = 0 THEN
    RAISE EXCEPTION 'erasure: the request is not approved' USING ERRCODE = '42501';
  END IF;
  SELECT m.* INTO approval FROM value_move m WHERE m.kind = 'accountErased' AND m.subject = 'erasure:' || request
    AND m.actor_role = 'admin' AND m.actor_uid <> ALL(asked.uids) AND m.actor_uid IS DISTINCT FROM m.second_uid
    AND (m.second_uid IS NOT NULL OR m.is_alone) AND m.second_uid IS DISTINCT FROM asked.uids[1] LIMIT 1;
  IF approval.id IS NULL THEN
    RAISE EXCEPTION 'erasure: nobody approved it' USING ERRCODE = '42501';
  END IF;
  IF (SELECT count(*) FROM account WHERE uid = ANY(asked.uids) AND role IN ('customer', 'agent') AND status = 'inactive')
      <> cardinality(asked.uids)
    OR EXISTS (SELECT FROM unnest(asked.uids[2:]) AS r(rest) WHERE NOT EXISTS
      (SELECT FROM linked_identity l WHERE l.uid = asked.uids[1] AND 'line:' || l.subject = rest)) THEN
    RAISE EXCEPTION 'erasure: these are not one customer''s closed accounts' USING ERRCODE = '42501';
  END IF;
  keys := ARRAY(SELECT 'u:' || uid FROM unnest(asked.uids) AS u(uid)) || CASE WHEN asked.guest_hash IS NULL THEN '{}'::text[] ELSE ARRAY['g:' || asked.guest_hash] END;
  IF EXISTS (SELECT FROM wallet WHERE uid = ANY(asked.uids) AND balance_satang <> 0)
    OR EXISTS (SELECT FROM orders o WHERE o.buyer_key = ANY(keys)
      AND o.status IN ('waiting_payment', 'paid', 'processing', 'failed', 'refunding'))
    OR EXISTS (SELECT FROM owed_refund r JOIN orders o ON o.id = r.order_id
      WHERE o.buyer_key = ANY(keys) AND r.sent_at IS NULL AND r.undone_at IS NULL)
    OR EXISTS (SELECT FROM owed_refund r JOIN credit c ON c.id = r.from_credit_id
      WHERE c.uid = ANY(asked.uids) AND r.sent_at IS NULL AND r.undone_at IS NULL)
    OR EXISTS (SELECT FROM wallet w JOIN top_up t ON t.wallet_id = w.id JOIN statement_line l ON l.top_up_id = t.id
      JOIN owed_refund r ON r.line_id = l.id
      WHERE w.uid = ANY(asked.uids) AND r.sent_at IS NULL AND r.undone_at IS NULL) THEN
    RAISE EXCEPTION 'erasure: money or goods are still open' USING ERRCODE = '42501';
  END IF;
  PERFORM erase_from_written_once(request, asked.uids, keys);
  INSERT INTO audit_entry (id, at, actor_uid, actor_role, action, subject, after) VALUES (gen_random_uuid(), now(),
    approval.actor_uid, approval.actor_role, 'account.erase', 'erasure:' || request, '{"state": "done"}');
END
$$;

REVOKE ALL ON FUNCTION erase_from_written_once(uuid, text[], text[]), erase_words(jsonb), erase_written_once(uuid) FROM PUBLIC, shop_app;
GRANT EXECUTE ON FUNCTION erase_written_once(uuid) TO shop_app;

-- The server sees how far the standbys are; PostgreSQL shows others no more than that there are some. Where the owner may
-- not see it either, the rest is empty.
CREATE OR REPLACE FUNCTION standbys() RETURNS TABLE (name text, state text, sync text, replayed text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT application_name, state, sync_state, replay_lsn::text FROM pg_stat_replication
$$;
REVOKE ALL ON FUNCTION standbys() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION standbys() TO shop_app;
