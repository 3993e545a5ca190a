DROP INDEX "orders_running";--> statement-breakpoint
CREATE INDEX "orders_running" ON "orders" USING btree ("buyer_key","created_at") WHERE "orders"."status" IN ('waiting_payment', 'paid', 'processing', 'failed', 'refunding')
        OR ("orders"."status" = 'expired' AND "orders"."transfer_reported_at" IS NOT NULL);--> statement-breakpoint
-- What was called refunded while its money was still owed waits for it; the same move led there.
UPDATE "order_event" SET "to_status" = 'refunding' WHERE "to_status" = 'refunded' AND "order_id" IN (
  SELECT "order_id" FROM "owed_refund" WHERE "line_id" IS NULL AND "sent_at" IS NULL AND "undone_at" IS NULL
);--> statement-breakpoint
UPDATE "orders" SET "status" = 'refunding' WHERE "status" = 'refunded' AND "id" IN (
  SELECT "order_id" FROM "owed_refund" WHERE "line_id" IS NULL AND "sent_at" IS NULL AND "undone_at" IS NULL
);
