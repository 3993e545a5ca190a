CREATE INDEX CONCURRENTLY "orders_waiting_buyer" ON "orders" USING btree ((CASE WHEN orders.status = 'waiting_payment' THEN orders.buyer_key END)) WHERE (CASE WHEN orders.status = 'waiting_payment' THEN orders.buyer_key END) IS NOT NULL;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_slotted_player" ON "orders" USING btree ((CASE WHEN orders.status = 'waiting_payment' AND orders.transfer_reported_at IS NULL AND orders.guest_slot IS NOT NULL
    THEN orders.game_id::text || ' ' || orders.player_id END)) WHERE (CASE WHEN orders.status = 'waiting_payment' AND orders.transfer_reported_at IS NULL AND orders.guest_slot IS NOT NULL
    THEN orders.game_id::text || ' ' || orders.player_id END) IS NOT NULL;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_expire_after" ON "orders" USING btree ("expire_after") WHERE "orders"."expire_after" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "orders_slip" ON "orders" USING btree ("slip_id") WHERE "orders"."slip_id" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "owed_refund_slip" ON "owed_refund" USING btree ("sent_slip_id") WHERE "owed_refund"."sent_slip_id" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "statement_line_file" ON "statement_line" USING btree ("file_id") WHERE "statement_line"."file_id" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "statement_line_confirmed_file" ON "statement_line" USING btree ("confirmed_file_id") WHERE "statement_line"."confirmed_file_id" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "supplier_attempt_unclear" ON "supplier_attempt" USING btree ("id") WHERE ((is_with_staff AND overruled_at IS NULL AND state IN ('sending', 'unknown', 'accepted'))
  OR (contradiction IS NOT NULL AND seen_by IS NULL));
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "used_transfer_without_line" ON "used_transfer" USING btree ("kind","used_at","subject_id") WHERE "used_transfer"."line_id" IS NULL;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "slip_unused" ON "slip" USING btree ("created_at") WHERE "slip"."used_for" IS NULL;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY "top_up_slip" ON "top_up" USING btree ("slip_id") WHERE "top_up"."slip_id" IS NOT NULL;
--> statement-breakpoint
-- safe: The previous server finds what expires by "orders_expire_after", which holds the same orders.
DROP INDEX CONCURRENTLY IF EXISTS "orders_expiry";
