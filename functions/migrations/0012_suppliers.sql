CREATE TABLE "supplier" (
	"name" text PRIMARY KEY NOT NULL,
	"is_on" boolean DEFAULT false NOT NULL,
	"stopped_at" timestamp (3) with time zone,
	"stopped_for" text,
	"balance_satang" bigint,
	"balance_at" timestamp (3) with time zone,
	"low_balance_satang" bigint DEFAULT 100000 NOT NULL,
	"last_error" text,
	"last_error_at" timestamp (3) with time zone
);--> statement-breakpoint
CREATE TABLE "supplier_answer" (
	"id" uuid PRIMARY KEY NOT NULL,
	"attempt_id" uuid NOT NULL,
	"asked" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"took_ms" integer NOT NULL,
	"answer" text NOT NULL,
	"http_status" integer,
	"code" text,
	"message" text
);--> statement-breakpoint
CREATE TABLE "supplier_attempt" (
	"id" uuid PRIMARY KEY NOT NULL,
	"order_id" uuid NOT NULL,
	"supplier" text NOT NULL,
	"reference" text NOT NULL,
	"sku" text NOT NULL,
	"quantity" integer NOT NULL,
	"fields" text[] NOT NULL,
	"max_cost_satang" bigint NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"rejection" text,
	"their_id" text,
	"cost_satang" bigint,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"not_found_count" integer DEFAULT 0 NOT NULL,
	"first_not_found_at" timestamp (3) with time zone,
	"is_with_staff" boolean DEFAULT false NOT NULL,
	"contradiction" text,
	"seen_by" text,
	"settled_at" timestamp (3) with time zone,
	"overruled_by" text,
	"overruled_at" timestamp (3) with time zone,
	"overruled_reason" text,
	CONSTRAINT "supplier_attempt_reference" UNIQUE("reference")
);--> statement-breakpoint
CREATE TABLE "supplier_balance" (
	"id" uuid PRIMARY KEY NOT NULL,
	"supplier" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"balance_satang" bigint NOT NULL
);--> statement-breakpoint
CREATE TABLE "supplier_callback" (
	"digest" text PRIMARY KEY NOT NULL,
	"supplier" text NOT NULL,
	"reference" text NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL
);--> statement-breakpoint
ALTER TABLE "supplier_answer" ADD CONSTRAINT "supplier_answer_attempt_id_supplier_attempt_id_fk" FOREIGN KEY ("attempt_id") REFERENCES "public"."supplier_attempt"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "supplier_answer_attempt" ON "supplier_answer" USING btree ("attempt_id","id");--> statement-breakpoint
CREATE INDEX "supplier_attempt_order" ON "supplier_attempt" USING btree ("order_id","id");--> statement-breakpoint
CREATE INDEX "supplier_attempt_sent" ON "supplier_attempt" USING btree ("supplier","sent_at");--> statement-breakpoint
CREATE UNIQUE INDEX "supplier_attempt_one" ON "supplier_attempt" USING btree ("order_id") WHERE "supplier_attempt"."state" IN ('sending', 'unknown', 'accepted', 'delivered');--> statement-breakpoint
CREATE INDEX "supplier_balance_at" ON "supplier_balance" USING btree ("supplier","at");
