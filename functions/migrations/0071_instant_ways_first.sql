-- Shops that never sorted their payment methods offer those first whose money they see as soon as it is paid.
UPDATE "payment_method" m SET "position" = n.position
  FROM (VALUES ('promptpay', 1), ('truemoney', 2), ('shopeepay', 3), ('linepay', 4), ('bank', 5), ('wallet', 6), ('credit', 7))
    AS n (code, position)
  WHERE m."code" = n.code AND (SELECT array_agg(p."code"::text ORDER BY p."position", p."code") FROM "payment_method" p)
    = ARRAY['bank', 'wallet', 'promptpay', 'truemoney', 'shopeepay', 'linepay', 'credit'];
