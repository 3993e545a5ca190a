CREATE INDEX CONCURRENTLY "terms_acceptance_version" ON "terms_acceptance" USING btree ("version");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "terms_acceptance_guest" ON "terms_acceptance" USING btree ("accepted_at") WHERE "terms_acceptance"."owner_key" NOT LIKE 'u:%';--> statement-breakpoint
CREATE INDEX CONCURRENTLY "idempotency_key_created" ON "idempotency_key" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_ends" ON "orders" USING gin ((ARRAY[right("order_no", 5), right("player_id", 5)]));--> statement-breakpoint
CREATE INDEX CONCURRENTLY "supplier_callback_received" ON "supplier_callback" USING btree ("received_at");