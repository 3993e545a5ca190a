ALTER TABLE "orders" DROP CONSTRAINT "orders_queue_no";--> statement-breakpoint
ALTER TABLE "reserved_amount" DROP CONSTRAINT "reserved_amount_id";--> statement-breakpoint
DROP INDEX "reserved_amount_reusable";--> statement-breakpoint
CREATE UNIQUE INDEX "orders_queue_no" ON "orders" USING btree ("queue_no") WHERE "orders"."queue_no" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "reserved_amount_held" ON "reserved_amount" USING btree ("buyer_key") WHERE "reserved_amount"."order_id" IS NULL;--> statement-breakpoint
CREATE INDEX "reserved_amount_reusable" ON "reserved_amount" USING btree ("reusable_at") WHERE "reserved_amount"."reusable_at" IS NOT NULL;