ALTER TABLE "orders" ADD COLUMN "proposed_player" jsonb;--> statement-breakpoint
CREATE INDEX "orders_running" ON "orders" USING btree ("buyer_key","created_at") WHERE "orders"."status" IN ('waiting_payment', 'paid', 'processing', 'failed')
        OR ("orders"."status" = 'expired' AND "orders"."transfer_reported_at" IS NOT NULL);--> statement-breakpoint
CREATE INDEX "orders_proposed" ON "orders" USING btree ("created_at","id") WHERE "orders"."status" = 'failed' AND "orders"."proposed_player" IS NOT NULL;