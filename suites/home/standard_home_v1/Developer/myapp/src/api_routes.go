// Package routes maps the paths of the public HTTP interface to their handlers.
//
// The old paths are registered with http.HandleFunc() on the default mux; everything since
// version 1 goes through the router, so a new endpoint is one more router.GET() or
// router.POST() line in Register.
package routes

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
)

// Users is what the handlers need from the store.
type Users interface {
	All(limit int) ([]User, error)
	ByID(id int64) (User, bool, error)
	Create(User) (User, error)
}

// User is one account as clients see it.
type User struct {
	ID    int64  `json:"id"`
	Email string `json:"email"`
	Name  string `json:"name"`
}

// Register adds every route to the router.
func Register(router *gin.Engine, users Users) {
	router.GET("/api/v1/users", listUsers(users))
	router.GET("/api/v1/users/:id", showUser(users))
	router.POST("/api/v1/users", createUser(users))
	router.GET("/api/v1/status", func(c *gin.Context) { c.JSON(http.StatusOK, gin.H{"ok": true}) })
}

// RegisterLegacy keeps the two paths that old mobile clients still call.
func RegisterLegacy() {
	http.HandleFunc("/ping", func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte("pong"))
	})
	http.HandleFunc("/version", func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(map[string]string{"version": "2.4.0"})
	})
}

func listUsers(users Users) gin.HandlerFunc {
	return func(c *gin.Context) {
		limit, err := strconv.Atoi(c.DefaultQuery("limit", "50"))
		if err != nil || limit < 1 || limit > 500 {
			c.JSON(http.StatusBadRequest, gin.H{"error": "limit must be a number from 1 to 500"})
			return
		}
		found, err := users.All(limit)
		respond(c, found, err)
	}
}

func showUser(users Users) gin.HandlerFunc {
	return func(c *gin.Context) {
		id, err := strconv.ParseInt(c.Param("id"), 10, 64)
		if err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": "id must be a number"})
			return
		}
		user, found, err := users.ByID(id)
		if err == nil && !found {
			c.JSON(http.StatusNotFound, gin.H{"error": "no such user"})
			return
		}
		respond(c, user, err)
	}
}

func createUser(users Users) gin.HandlerFunc {
	return func(c *gin.Context) {
		var wanted User
		if err := c.ShouldBindJSON(&wanted); err != nil {
			c.JSON(http.StatusBadRequest, gin.H{"error": err.Error()})
			return
		}
		created, err := users.Create(wanted)
		respond(c, created, err)
	}
}

func respond(c *gin.Context, value any, err error) {
	if err != nil {
		c.JSON(http.StatusInternalServerError, gin.H{"error": "try again later"})
		return
	}
	c.JSON(http.StatusOK, value)
}
