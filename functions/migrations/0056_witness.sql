CREATE TABLE "lost_purchase" (
	"id" uuid PRIMARY KEY NOT NULL,
	"supplier" text NOT NULL,
	"reference" text NOT NULL,
	"their_id" text,
	"bought_at" timestamp (3) with time zone,
	"product" text,
	"player" text,
	"cost_satang" bigint,
	"found_at" timestamp (3) with time zone NOT NULL,
	"closed_by" text,
	"closed_at" timestamp (3) with time zone,
	"closed_reason" text,
	CONSTRAINT "lost_purchase_once" UNIQUE("supplier","reference")
);
--> statement-breakpoint
ALTER TABLE "safe_mode" ADD COLUMN "witness" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "safe_mode" ADD COLUMN "witness_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "safe_mode" ADD COLUMN "witnessed_start" text;--> statement-breakpoint
CREATE INDEX "lost_purchase_open" ON "lost_purchase" USING btree ("found_at") WHERE "lost_purchase"."closed_at" IS NULL;