CREATE TABLE "check_run" (
	"name" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"differences" integer NOT NULL,
	"what" text[] NOT NULL,
	CONSTRAINT "check_run_name_at_pk" PRIMARY KEY("name","at")
);
--> statement-breakpoint
ALTER TABLE "pulse" ADD COLUMN "started_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "pulse" ADD COLUMN "awaited_since" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "outbox_dead" ON "outbox" USING btree ("settled_at") WHERE "outbox"."state" = 'dead';--> statement-breakpoint
CREATE INDEX CONCURRENTLY "slip_check_confirming" ON "slip_check" USING btree ("created_at") WHERE "slip_check"."state" = 'confirming';--> statement-breakpoint
CREATE INDEX CONCURRENTLY "supplier_attempt_unanswered" ON "supplier_attempt" USING btree ("sent_at") WHERE "supplier_attempt"."state" IN ('sending', 'unknown') AND NOT "supplier_attempt"."is_with_staff";