DROP INDEX "orders_words";--> statement-breakpoint
CREATE INDEX "top_up_booked" ON "top_up" USING btree ("decided_at","id") WHERE "top_up"."status" = 'approve' AND "top_up"."corrected_at" IS NULL;--> statement-breakpoint
CREATE INDEX "orders_words" ON "orders" USING gin (replace("order_no" || ' ' || "player_id" || ' ' || coalesce("player_name", ''), '-', 'ǀ') gin_trgm_ops);