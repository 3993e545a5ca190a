DROP INDEX "orders_guest_slot";--> statement-breakpoint
CREATE INDEX "orders_late_report" ON "orders" USING btree ("created_at","id") WHERE "orders"."status" = 'expired' AND "orders"."transfer_reported_at" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "orders_guest_slot" ON "orders" USING btree ("game_id","player_id","guest_slot") WHERE "orders"."status" = 'waiting_payment' AND "orders"."transfer_reported_at" IS NULL AND "orders"."guest_slot" IS NOT NULL;--> statement-breakpoint
UPDATE "ledger_transaction" AS "refund" SET "reverses_id" = "sale"."id" FROM "ledger_transaction" AS "sale"
  WHERE "refund"."kind" = 'order_refunded' AND "refund"."reverses_id" IS NULL
    AND "sale"."kind" = 'order_paid' AND "sale"."subject_id" = "refund"."subject_id";--> statement-breakpoint
DELETE FROM "terms_acceptance" WHERE "owner_key" LIKE 'a:%';
