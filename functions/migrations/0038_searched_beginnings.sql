ALTER TABLE "orders" DROP CONSTRAINT "orders_order_no";--> statement-breakpoint
ALTER TABLE "top_up" DROP CONSTRAINT "top_up_no";--> statement-breakpoint
DROP INDEX "audit_action";--> statement-breakpoint
DROP INDEX "audit_subject";--> statement-breakpoint
CREATE UNIQUE INDEX "orders_order_no" ON "orders" USING btree ("order_no" text_pattern_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "top_up_no" ON "top_up" USING btree ("no" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "audit_action" ON "audit_entry" USING btree ("action" text_pattern_ops,"at");--> statement-breakpoint
CREATE INDEX "audit_subject" ON "audit_entry" USING btree ("subject" text_pattern_ops,"at");