DROP INDEX "orders_amount";--> statement-breakpoint
DROP INDEX "orders_paid_by_bank";--> statement-breakpoint
CREATE INDEX "account_words" ON "account" USING gin (("username" || ' ' || "given_name" || ' ' || "family_name" || ' ' || coalesce("email", '')) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "orders_total" ON "orders" USING btree (("price_satang" + "tail_satang"),"created_at","id");--> statement-breakpoint
CREATE INDEX "orders_paid" ON "orders" USING btree ((coalesce("paid_at", '-infinity')),"id");--> statement-breakpoint
CREATE INDEX "orders_game_created" ON "orders" USING btree ("game_id","created_at","id");--> statement-breakpoint
CREATE INDEX "orders_words" ON "orders" USING gin (("order_no" || ' ' || "player_id" || ' ' || coalesce("player_name", '')) gin_trgm_ops);
