DROP INDEX "owed_refund_open";--> statement-breakpoint
DROP INDEX "ledger_transaction_corrections";--> statement-breakpoint
ALTER TABLE "owed_refund" ADD COLUMN "undone_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "statement_line" ADD COLUMN "has_paid" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_paid_by_bank" ON "orders" USING btree ("paid_at") WHERE "orders"."receiving_account_id" IS NOT NULL AND "orders"."paid_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "owed_refund_open" ON "owed_refund" USING btree ("created_at","id") WHERE "owed_refund"."sent_at" IS NULL AND "owed_refund"."undone_at" IS NULL;--> statement-breakpoint
CREATE INDEX "ledger_transaction_corrections" ON "ledger_transaction" USING btree ("at") WHERE "ledger_transaction"."kind" IN ('correction', 'line_booked', 'line_undone');--> statement-breakpoint
ALTER TABLE "owed_refund" ADD CONSTRAINT "owed_refund_sent_or_undone" CHECK ("owed_refund"."sent_at" IS NULL OR "owed_refund"."undone_at" IS NULL);--> statement-breakpoint
INSERT INTO "owed_refund" ("id", "order_id", "amount_satang", "reason", "created_at")
SELECT gen_random_uuid(), t.subject_id, e.amount_satang, coalesce(t.reason, ''), t.at
FROM "ledger_transaction" t JOIN "ledger_entry" e ON e.transaction_id = t.id
WHERE t.kind = 'order_refunded' AND e.account = 'refunds';
